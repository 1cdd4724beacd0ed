//! Scalars: the values by which elements of lists are compared and sorted.

use core::fmt::{self, Write as _};
use std::borrow::Cow;

use serde_json::Value;

use crate::error::{PatchError, PatchErrorKind};
use crate::values::json_type::{GO_STRING, JsonType};
use crate::values::print::{GoList, GoValue};
use k8s_json_internals::digest;
use k8s_json_internals::key::Key;
use union_runtime::path::{Path, PathStep};

/// A scalar that identifies an element. Scalars are equal if both type and value are equal.
/// `Scalar(None)` is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Scalar<'v>(Option<Key<'v>>);

impl<'v> Scalar<'v> {
    /// Returns the scalar; `None` for objects and lists.
    pub(crate) fn from_value(value: &'v Value) -> Option<Self> {
        if value.is_null() {
            return Some(Self(None));
        }
        k8s_json_internals::key::scalar_key(value, true).map(|key| Self(Some(key)))
    }

    /// Returns a number that is equal for equal scalars, and usually different for others.
    pub(crate) fn digest(&self) -> u64 {
        self.0.map_or(0, |key| key.digest())
    }
}

/// Returns the string by which elements are sorted, and by which comparisons of documents pair
/// elements. The values 1 and "1" have the same string.
pub(crate) fn to_sort_string(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(string) => Cow::Borrowed(string),
        value => to_printed_string(value),
    }
}

/// Returns the printed form of a value that is not a string. This is a separate function, so that
/// `to_sort_string` is inlined.
#[cold]
fn to_printed_string(value: &Value) -> Cow<'_, str> {
    Cow::Owned(GoValue(value).to_string())
}

/// Returns the digest of the string by which elements are sorted. The string of an integer is not
/// allocated.
pub(crate) fn sort_string_digest(value: &Value) -> u64 {
    if let Some(integer) = value.as_i64() {
        let mut digits = Digits::default();
        // Each integer fits into the buffer.
        if write!(digits, "{integer}").is_ok() {
            return digest::digest_str(digits.as_str());
        }
    }
    digest::digest_str(&to_sort_string(value))
}

/// A buffer for the digits of an integer.
#[derive(Default)]
struct Digits {
    bytes: [u8; 20],
    length: usize,
}

impl Digits {
    fn as_str(&self) -> &str {
        let digits = self.bytes.get(..self.length).unwrap_or_default();
        str::from_utf8(digits).unwrap_or_default()
    }
}

impl fmt::Write for Digits {
    fn write_str(&mut self, digits: &str) -> fmt::Result {
        let end = self.length + digits.len();
        let free_bytes = self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?;
        free_bytes.copy_from_slice(digits.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// Returns true if two scalars print the same string.
pub(crate) fn has_same_sort_string(first: &Value, second: &Value) -> bool {
    match (first, second) {
        (Value::String(first), Value::String(second)) => first == second,
        (Value::Number(first), Value::Number(second)) if first.is_i64() && second.is_i64() => {
            first == second
        }
        _ => to_sort_string(first) == to_sort_string(second),
    }
}

/// Returns the common type of all elements; `None` if both lists are empty.
pub(crate) fn common_type(
    first: &[Value],
    second: &[Value],
    location: &Path<'_>,
) -> Result<Option<JsonType>, PatchError> {
    let mut common_type = None;
    for (i, value) in first.iter().chain(second).enumerate() {
        let json_type = JsonType::from_value(value);
        match common_type {
            Some(common_type) if common_type == json_type => {}
            Some(_) => {
                let message = format!(
                    "list element types are not identical: [{} {}]",
                    GoList(first),
                    GoList(second)
                );
                return Err(PatchError::new(
                    PatchErrorKind::MixedElements,
                    message,
                    location,
                ));
            }
            None if json_type == JsonType::Array => {
                let message = "lists of lists are not supported";
                return Err(PatchError::new(
                    PatchErrorKind::NoListOfLists,
                    message,
                    location,
                ));
            }
            // Kubernetes crashes here.
            None if json_type == JsonType::Null => {
                return Err(PatchError::bad_type(
                    GO_STRING,
                    value,
                    &location.step(PathStep::Index(i)),
                ));
            }
            None => common_type = Some(json_type),
        }
    }
    Ok(common_type)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::has_same_sort_string;

    #[test]
    fn numbers_and_strings_are_compared_as_printed() {
        for (first, second, is_same) in [
            (json!(1), json!(1), true),
            (json!(1), json!(2), false),
            (json!(1), json!(1.0), true),
            (json!(1.5), json!(1.5), true),
            (json!(1), json!("1"), true),
            (json!("1"), json!("1.0"), false),
            (json!(u64::MAX), json!(-1), false),
            (json!(u64::MAX), json!(u64::MAX), true),
        ] {
            assert_eq!(
                has_same_sort_string(&first, &second),
                is_same,
                "{first} {second}"
            );
            assert_eq!(
                has_same_sort_string(&second, &first),
                is_same,
                "{second} {first}"
            );
        }
    }
}
