//! Functions that copy and drop JSON values of any depth, and check their depth. Beyond a fixed
//! depth, they use a list of pending values instead of recursion, so that the stack does not
//! overflow.

use core::mem;
use core::ops::{Deref, DerefMut};
use std::borrow::Cow;

use serde_json::{Map, Value};

/// The depth up to which functions recurse, because recursion does not allocate.
const MAX_RECURSION: usize = 64;

/// Returns true if more than `levels` arrays and objects are nested in each other.
#[must_use]
pub fn is_deeper(value: &Value, levels: usize) -> bool {
    // Fast path: most values are scalars, which do not need a call.
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

/// Returns a value with sorted keys in all its objects. The keys of maps are always sorted, unless
/// a crate of the build switches on the feature `preserve_order` of `serde_json`. A value with more
/// than `levels` levels is returned unchanged.
#[must_use]
pub fn in_key_order(value: &Value, levels: usize) -> Cow<'_, Value> {
    let keys = ["b", "a"].map(|key| (key.to_owned(), Value::Null));
    let are_maps_sorted = Map::from_iter(keys).keys().is_sorted();
    if are_maps_sorted || is_deeper(value, levels) {
        return Cow::Borrowed(value);
    }
    let mut value = value.clone();
    value.sort_all_objects();
    Cow::Owned(value)
}

/// Returns a copy of a value of any depth.
pub fn copy(value: &Value) -> Value {
    if !is_deeper(value, MAX_RECURSION) {
        return value.clone();
    }
    let mut result = Value::Null;
    let mut pending = vec![(value, &mut result)];
    while let Some((source, target)) = pending.pop() {
        match source {
            Value::Array(values) => {
                *target = Value::Array(vec![Value::Null; values.len()]);
                pending.extend(
                    values
                        .iter()
                        .zip(target.as_array_mut().into_iter().flatten()),
                );
            }
            Value::Object(values) => {
                *target = values
                    .keys()
                    .map(|key| (key.clone(), Value::Null))
                    .collect();
                let copies = target.as_object_mut().into_iter().flat_map(Map::values_mut);
                pending.extend(values.values().zip(copies));
            }
            scalar => *target = scalar.clone(),
        }
    }
    result
}

/// Drops a value of any depth.
pub fn discard(value: Value) {
    if !is_deeper(&value, MAX_RECURSION) {
        return;
    }
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(values) => pending.extend(values),
            Value::Object(values) => pending.extend(values.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

/// Replaces a value, and drops the old value.
pub fn replace(target: &mut Value, value: Value) {
    discard(mem::replace(target, value));
}

/// Sets a field of an object, and drops the old value.
pub fn insert(object: &mut Map<String, Value>, name: &str, value: Value) {
    discard(object.insert(name.to_owned(), value).unwrap_or_default());
}

/// Removes a field of an object, and drops its value.
pub fn remove(object: &mut Map<String, Value>, name: &str) {
    discard(object.remove(name).unwrap_or_default());
}

/// Removes the fields of an object for which `keep` returns false, and drops their values.
pub fn retain(object: &mut Map<String, Value>, mut keep: impl FnMut(&str, &mut Value) -> bool) {
    object.retain(|name, value| {
        let is_kept = keep(name, value);
        if !is_kept {
            discard(value.take());
        }
        is_kept
    });
}

/// An owned value that is dropped without recursion.
pub struct DeepValue(Value);

impl DeepValue {
    /// Creates a wrapper that owns `value`.
    #[must_use]
    pub const fn new(value: Value) -> Self {
        Self(value)
    }

    /// Creates a wrapper that owns a copy of `value`.
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
