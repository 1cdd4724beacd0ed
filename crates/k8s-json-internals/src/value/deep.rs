//! JSON values that may be deeper than the stack allows: pending copies and drops are queued in a
//! list, which takes memory rather than stack.

use core::mem;
use core::ops::{Deref, DerefMut};
use std::borrow::Cow;

use serde_json::{Map, Value};

/// The depth up to which functions recurse, which does not need memory.
const LEVELS: usize = 64;

/// Returns true if more than `levels` lists and objects are nested.
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

/// Returns a copy of a value.
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

/// Replaces a value, and drops the old value.
pub fn replace(place: &mut Value, value: Value) {
    discard(mem::replace(place, value));
}

/// Sets a field of an object, and drops the old value.
pub fn insert(object: &mut Map<String, Value>, name: &str, value: Value) {
    discard(object.insert(name.to_owned(), value).unwrap_or_default());
}

/// Removes a field of an object, and drops its value.
pub fn remove(object: &mut Map<String, Value>, name: &str) {
    discard(object.remove(name).unwrap_or_default());
}

/// Removes the fields of an object for which `stays` returns false, and drops their values.
pub fn retain(object: &mut Map<String, Value>, mut stays: impl FnMut(&str, &mut Value) -> bool) {
    object.retain(|name, value| {
        let stays = stays(name, value);
        if !stays {
            discard(value.take());
        }
        stays
    });
}

/// An owned value, which is dropped without recursion.
pub struct DeepValue(Value);

impl DeepValue {
    /// Returns a wrapper that owns the value.
    #[must_use]
    pub const fn new(value: Value) -> Self {
        Self(value)
    }

    /// Returns a wrapper that owns a copy of the value.
    #[must_use]
    pub fn copy(value: &Value) -> Self {
        Self(copy(value))
    }
}

impl Deref for DeepValue {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl DerefMut for DeepValue {
    fn deref_mut(&mut self) -> &mut Value {
        &mut self.0
    }
}

impl Drop for DeepValue {
    fn drop(&mut self) {
        discard(self.0.take());
    }
}
