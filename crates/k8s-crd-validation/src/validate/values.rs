//! Enums, and lists without duplicates.

use serde_json::Value;

use super::Flow;
use super::list_types::any_pair;
use super::sink::Sink;
use crate::print;
use crate::schema::Node;
use k8s_json_internals::equality::same;
use k8s_json_internals::number::{Num, cut};
use union_runtime::path::{Dotted, Path};
use union_runtime::{Violation, ViolationKind};

/// Refuses a value that its enum has not.
pub(super) fn check<S: Sink>(node: &Node, value: &Value, path: &Path<'_>, sink: &mut S) -> Flow {
    match node.values.as_deref() {
        Some(values) if !values.is_empty() && !values.iter().any(|one| is_value(value, one)) => {
            sink.report(|| {
                let kind = ViolationKind::NotSupported;
                let path = Dotted(path).text();
                Violation::found(kind, path, print::found(value), print::supported(values))
            })
        }
        _ => Flow::Continue(()),
    }
}

/// Whether a value counts as one of an enum: it is converted to the kind of that one, as Go converts.
fn is_value(value: &Value, one: &Value) -> bool {
    match (value, one) {
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Number(value), Value::Number(one)) => match (Num::of(value), Num::of(one)) {
            (Num::Float(value), Num::Int(one)) => cut(value) == one,
            (value, Num::Float(one)) => value.as_float().to_bits() == one.to_bits(),
            (Num::Int(value), Num::Int(one)) => value == one,
        },
        (Value::Number(value), Value::String(one)) => match Num::of(value) {
            Num::Int(code) => is_character(code, one),
            Num::Float(_) => false,
        },
        (value, one) => same(value, one),
    }
}

/// Whether a text is the one character with this number; numbers without a character stand for the replacement one.
fn is_character(code: i64, text: &str) -> bool {
    let code = u32::try_from(code).ok().and_then(char::from_u32);
    let mut characters = text.chars();
    characters.next() == Some(code.unwrap_or(char::REPLACEMENT_CHARACTER))
        && characters.next().is_none()
}

/// Whether a list has an element twice. CRDs may not ask for it, so a list is compared with itself.
pub(super) fn has_duplicates(elements: &[Value]) -> bool {
    any_pair(elements, same)
}
