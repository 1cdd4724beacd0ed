//! JSON values that may be deeper than the stack: what is still to be copied or dropped waits in a list, so that it takes
//! memory and no stack.

use core::mem;
use core::ops::{Deref, DerefMut};
use std::borrow::Cow;

use serde_json::{Map, Value};

/// So many levels are left to the stack, which takes no memory.
const LEVELS: usize = 64;

/// Whether more than so many lists and objects stand in each other.
#[must_use]
pub fn is_deeper(value: &Value, levels: usize) -> bool {
    // Most values are scalars, which need no call.
    let is_deeper = |value: &Value| {
        let is_scalar = !matches!(value, Value::Array(_) | Value::Object(_));
        !is_scalar && is_deeper(value, levels.saturating_sub(1))
    };
    match value {
        Value::Array(values) => levels == 0 || values.iter().any(is_deeper),
        Value::Object(values) => levels == 0 || values.values().any(is_deeper),
        _ => false,
    }
}

/// Returns a value with the keys of all its objects in order. Maps are in order by themselves,
/// unless a crate of the build switches on the feature `preserve_order` of `serde_json`. A value
/// with more than `levels` levels is returned as it is.
#[must_use]
pub fn in_key_order(value: &Value, levels: usize) -> Cow<'_, Value> {
    let keys = ["b", "a"].map(|key| (key.to_owned(), Value::Null));
    let is_sorted = Map::from_iter(keys).keys().is_sorted();
    if is_sorted || is_deeper(value, levels) {
        return Cow::Borrowed(value);
    }
    let mut value = value.clone();
    value.sort_all_objects();
    Cow::Owned(value)
}

/// A copy.
pub fn copy(value: &Value) -> Value {
    if !is_deeper(value, LEVELS) {
        return value.clone();
    }
    let mut made = Value::Null;
    let mut waiting = vec![(value, &mut made)];
    while let Some((from, to)) = waiting.pop() {
        match from {
            Value::Array(values) => {
                *to = Value::Array(vec![Value::Null; values.len()]);
                waiting.extend(values.iter().zip(to.as_array_mut().into_iter().flatten()));
            }
            Value::Object(values) => {
                *to = values
                    .keys()
                    .map(|key| (key.clone(), Value::Null))
                    .collect();
                let copies = to.as_object_mut().into_iter().flat_map(Map::values_mut);
                waiting.extend(values.values().zip(copies));
            }
            scalar => *to = scalar.clone(),
        }
    }
    made
}

/// Drops a value.
pub fn discard(value: Value) {
    if !is_deeper(&value, LEVELS) {
        return;
    }
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(values) => waiting.extend(values),
            Value::Object(values) => waiting.extend(values.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

/// Puts a value in the place of another one.
pub fn replace(place: &mut Value, value: Value) {
    discard(mem::replace(place, value));
}

/// Puts a value into an object.
pub fn insert(object: &mut Map<String, Value>, name: &str, value: Value) {
    discard(object.insert(name.to_owned(), value).unwrap_or_default());
}

/// Takes a field out of an object.
pub fn remove(object: &mut Map<String, Value>, name: &str) {
    discard(object.remove(name).unwrap_or_default());
}

/// Takes fields out of an object.
pub fn retain(object: &mut Map<String, Value>, mut stays: impl FnMut(&str, &mut Value) -> bool) {
    object.retain(|name, value| {
        let stays = stays(name, value);
        if !stays {
            discard(value.take());
        }
        stays
    });
}

/// A value of ours, which is dropped without the stack.
pub struct Own(Value);

impl Own {
    /// Takes a value.
    #[must_use]
    pub const fn new(value: Value) -> Self {
        Self(value)
    }

    /// A copy of a value.
    #[must_use]
    pub fn copy(value: &Value) -> Self {
        Self(copy(value))
    }
}

impl Deref for Own {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl DerefMut for Own {
    fn deref_mut(&mut self) -> &mut Value {
        &mut self.0
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        discard(self.0.take());
    }
}
