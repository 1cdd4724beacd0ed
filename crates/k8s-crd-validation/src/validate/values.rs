//! Enums, and lists without duplicates.

use core::hash::{BuildHasher as _, Hash as _, Hasher};
use std::collections::HashMap;
use std::hash::RandomState;

use serde_json::Value;

use super::errors::dotted::dotted;
use super::errors::sink::Sink;
use super::flow::Flow;
use super::list_types::{FEW, any_pair};
use crate::schema::{Node, print};
use k8s_json_internals::equality::same;
use k8s_json_internals::number::{Num, cut};
use union_runtime::path::Path;
use union_runtime::{Violation, ViolationKind};

/// Refuses a value that its enum does not have. Inlined, since most values have no enum.
#[inline]
pub(super) fn check<S: Sink>(node: &Node, value: &Value, path: &Path<'_>, sink: &mut S) -> Flow {
    match node.values.as_deref() {
        Some(values) if !values.is_empty() && !values.iter().any(|one| is_value(value, one)) => {
            sink.report(|| {
                let kind = ViolationKind::NotSupported;
                let path = dotted(path);
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
        (Value::String(value), Value::String(one)) => value == one,
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

/// Whether a list has an element twice. CRDs may not ask for it any more, but those may that are stored.
pub(super) fn has_duplicates(elements: &[Value]) -> bool {
    if elements.len() <= FEW {
        return any_pair(elements, same);
    }
    let state = RandomState::new();
    let mut seen = HashMap::with_capacity(elements.len());
    for element in elements {
        let mut hasher = state.build_hasher();
        hash(element, &mut hasher);
        match seen.insert(hasher.finish(), element) {
            None => {}
            Some(other) if same(element, other) => return true,
            // Two of one hash that are not the same: nobody will see that.
            Some(_) => return any_pair(elements, same),
        }
    }
    false
}

/// Hashes all that [`same`] looks at. Values may be deep, so what waits is kept in a list.
fn hash(value: &Value, hasher: &mut impl Hasher) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Null => hasher.write_u8(0),
            Value::Bool(value) => (1, value).hash(hasher),
            Value::Number(number) => match number.as_i64() {
                Some(integer) => (2, integer).hash(hasher),
                // There is one zero.
                None => (3, number.as_f64().map(|float| (float + 0.0).to_bits())).hash(hasher),
            },
            Value::String(text) => (4, text).hash(hasher),
            Value::Array(elements) => {
                (5, elements.len()).hash(hasher);
                waiting.extend(elements);
            }
            Value::Object(object) => {
                (6, object.len()).hash(hasher);
                let mut entries: Vec<(&String, &Value)> = object.iter().collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                for (key, value) in entries {
                    key.hash(hasher);
                    waiting.push(value);
                }
            }
        }
    }
}
