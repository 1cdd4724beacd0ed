//! JSON merge patches (RFC 7386).

use serde_json::{Map, Value, json};

/// Returns true if an object has a field that is not null.
pub(super) fn is_set(object: &Map<String, Value>, name: &str) -> bool {
    object.get(name).is_some_and(|value| !value.is_null())
}

/// Returns the JSON merge patch between two objects. The function recurses, because the objects are
/// not deeper than the limits allow.
pub(super) fn merge_patch(
    old_object: &Map<String, Value>,
    new_object: &Map<String, Value>,
) -> Map<String, Value> {
    let mut patch = Map::new();
    for (name, new) in new_object {
        match (old_object.get(name), new) {
            (Some(old), new) if old == new => {}
            (Some(Value::Object(old)), Value::Object(new)) => {
                patch.insert(name.clone(), merge_patch(old, new).into());
            }
            (_, new) => {
                patch.insert(name.clone(), new.clone());
            }
        }
    }
    let removed_names = old_object
        .keys()
        .filter(|name| !new_object.contains_key(*name));
    patch.extend(removed_names.map(|name| (name.clone(), Value::Null)));
    patch
}

/// Applies a JSON merge patch.
pub(super) fn merge_into(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        target.clone_from(patch);
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    if let Value::Object(target) = target {
        for (name, value) in patch {
            if value.is_null() {
                target.remove(name);
            } else {
                merge_into(target.entry(name.as_str()).or_insert(Value::Null), value);
            }
        }
    }
}

/// Removes nulls, because a null is not part of an apply body.
pub(super) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let set_fields = object.into_iter().filter(|(_, value)| !value.is_null());
            set_fields
                .map(|(name, value)| (name, without_nulls(value)))
                .collect()
        }
        value => value,
    }
}
