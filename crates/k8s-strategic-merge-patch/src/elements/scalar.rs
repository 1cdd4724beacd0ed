//! Scalars, by which the elements of lists are compared.

use std::borrow::Cow;

use serde_json::Value;

use crate::error::{PatchError, PatchErrorKind};
use crate::values::kind::{Kind, TEXT};
use crate::values::print::{Printed, PrintedList};
use k8s_json_internals::key::Key;
use union_runtime::path::{Path, Step};

/// A scalar by which elements and their keys are compared: by kind and value. `Scalar(None)` is
/// null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scalar<'v>(Option<Key<'v>>);

impl<'v> Scalar<'v> {
    /// Returns the scalar; `None` for objects and lists, which cannot be compared.
    pub(crate) fn of(value: &'v Value) -> Option<Self> {
        if value.is_null() {
            return Some(Self(None));
        }
        k8s_json_internals::key::scalar(value, true).map(|key| Self(Some(key)))
    }

    /// Returns a number that is equal for equal scalars, and usually different for others.
    pub(crate) fn digest(&self) -> u64 {
        self.0.map_or(0, |key| key.digest())
    }
}

/// Returns the string by which elements are sorted, and paired in comparisons of documents: 1 and
/// "1" are a pair.
pub(crate) fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => printed(other),
    }
}

/// Returns the printed form of a value that is not a string. This is a separate function, so that
/// `text` is inlined.
#[cold]
fn printed(value: &Value) -> Cow<'_, str> {
    Cow::Owned(Printed(value).to_string())
}

/// Returns true if two scalars print the same string.
pub(crate) fn same_text(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one == other,
        (Value::Number(a), Value::Number(b)) if a.is_i64() && b.is_i64() => a == b,
        _ => text(one) == text(other),
    }
}

/// Returns the common kind of all elements; `None` without elements.
pub(crate) fn common_kind(
    first: &[Value],
    second: &[Value],
    at: &Path<'_>,
) -> Result<Option<Kind>, PatchError> {
    let mut common = None;
    for (i, value) in first.iter().chain(second).enumerate() {
        let kind = Kind::of(value);
        match common {
            Some(common) if common == kind => {}
            Some(_) => {
                let message = format!(
                    "list element types are not identical: [{} {}]",
                    PrintedList(first),
                    PrintedList(second)
                );
                return Err(PatchError::new(PatchErrorKind::MixedElements, message, at));
            }
            None if kind == Kind::List => {
                let message = "lists of lists are not supported";
                return Err(PatchError::new(PatchErrorKind::NoListOfLists, message, at));
            }
            // Kubernetes crashes here.
            None if kind == Kind::Null => {
                return Err(PatchError::bad_type(TEXT, value, &at.step(Step::Index(i))));
            }
            None => common = Some(kind),
        }
    }
    Ok(common)
}
