//! Enums, and the uniqueness of list elements.

use core::hash::{BuildHasher as _, Hash as _, Hasher};
use std::collections::HashMap;
use std::hash::RandomState;

use serde_json::Value;

use super::errors::dotted_path::to_dotted_path;
use super::errors::origin::ErrorOrigin;
use super::errors::sink::ErrorSink;
use super::flow::Flow;
use super::list_types::{MAX_PAIRWISE, any_pair};
use crate::schema::{Node, print};
use k8s_json_internals::equality::deep_equal;
use k8s_json_internals::number::{JsonNumber, truncate};
use union_runtime::path::Path;
use union_runtime::{Violation, ViolationKind};

/// Reports a value that is not in its enum. Inlined, because most values have no enum.
#[inline]
pub(super) fn check_enum<S: ErrorSink>(
    node: &Node,
    value: &Value,
    path: &Path<'_>,
    sink: &mut S,
) -> Flow {
    match node.enum_values.as_deref() {
        Some(values)
            if !values.is_empty()
                && !values
                    .iter()
                    .any(|enum_value| is_enum_value(value, enum_value)) =>
        {
            sink.report(ErrorOrigin::of_keyword("enum"), || {
                let kind = ViolationKind::NotSupported;
                let path = to_dotted_path(path);
                Violation::from_parts(
                    kind,
                    path,
                    print::bad_value(value),
                    print::supported_values(values),
                )
            })
        }
        _ => Flow::Continue(()),
    }
}

/// Returns true if a value equals an enum value. Before the comparison, the value is converted to
/// the kind of the enum value, as Go converts values.
fn is_enum_value(value: &Value, enum_value: &Value) -> bool {
    match (value, enum_value) {
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::String(value), Value::String(enum_value)) => value == enum_value,
        (Value::Number(value), Value::Number(enum_value)) => {
            match (
                JsonNumber::from_number(value),
                JsonNumber::from_number(enum_value),
            ) {
                (JsonNumber::Float(value), JsonNumber::Int(enum_value)) => {
                    truncate(value) == enum_value
                }
                (value, JsonNumber::Float(enum_value)) => {
                    value.as_float().to_bits() == enum_value.to_bits()
                }
                (JsonNumber::Int(value), JsonNumber::Int(enum_value)) => value == enum_value,
            }
        }
        (Value::Number(value), Value::String(enum_value)) => match JsonNumber::from_number(value) {
            JsonNumber::Int(code) => is_character(code, enum_value),
            JsonNumber::Float(_) => false,
        },
        (value, enum_value) => deep_equal(value, enum_value),
    }
}

/// Returns true if a string consists of the character with this code. Invalid codes count as the
/// code of the replacement character.
fn is_character(code: i64, string: &str) -> bool {
    let code = u32::try_from(code).ok().and_then(char::from_u32);
    let mut characters = string.chars();
    characters.next() == Some(code.unwrap_or(char::REPLACEMENT_CHARACTER))
        && characters.next().is_none()
}

/// Returns true if a list contains duplicates. New CRDs cannot use `uniqueItems`, but stored CRDs
/// may.
pub(super) fn has_duplicate_items(elements: &[Value]) -> bool {
    if elements.len() <= MAX_PAIRWISE {
        return any_pair(elements, deep_equal);
    }
    let state = RandomState::new();
    let mut seen_elements = HashMap::with_capacity(elements.len());
    for element in elements {
        let mut hasher = state.build_hasher();
        hash_value(element, &mut hasher);
        match seen_elements.insert(hasher.finish(), element) {
            None => {}
            Some(seen_element) if deep_equal(element, seen_element) => return true,
            // A collision of hashes is so rare that the slow comparison is acceptable.
            Some(_) => return any_pair(elements, deep_equal),
        }
    }
    false
}

/// Hashes a value so that deep-equal values have equal hashes. Pending values are in a list,
/// because recursion could overflow the stack for deep values.
fn hash_value(value: &Value, hasher: &mut impl Hasher) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Null => hasher.write_u8(0),
            Value::Bool(value) => (1, value).hash(hasher),
            Value::Number(number) => match number.as_i64() {
                Some(integer) => (2, integer).hash(hasher),
                // Adding zero turns negative zero into zero.
                None => (3, number.as_f64().map(|float| (float + 0.0).to_bits())).hash(hasher),
            },
            Value::String(string) => (4, string).hash(hasher),
            Value::Array(elements) => {
                (5, elements.len()).hash(hasher);
                pending.extend(elements);
            }
            Value::Object(object) => {
                (6, object.len()).hash(hasher);
                let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                for (key, value) in entries {
                    key.hash(hasher);
                    pending.push(value);
                }
            }
        }
    }
}
