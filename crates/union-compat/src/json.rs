//! JSON operations of clients and API servers, for `skew`. They are recursive, because the depth of
//! schemas is limited.

use serde_json::{Map, Value};

/// Applies a JSON merge patch (RFC 7386): null removes a field, objects are merged recursively, and
/// any other value replaces the old value, even a list.
pub fn merge_patch(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else {
        return;
    };
    for (key, value) in patch {
        if value.is_null() {
            target.remove(key);
        } else {
            merge_patch(target.entry(key.as_str()).or_insert(Value::Null), value);
        }
    }
}

/// Returns the JSON merge patch that changes one object into another; `None` if they are equal.
#[must_use]
pub fn create_merge_patch(source: &Value, target: &Value) -> Option<Value> {
    if source == target {
        return None;
    }
    let (Value::Object(old), Value::Object(new)) = (source, target) else {
        return Some(target.clone());
    };
    let removed_fields = old.keys().filter(|key| !new.contains_key(*key));
    let removed_fields = removed_fields.map(|key| (key.clone(), Value::Null));
    let changed_fields = new.iter().filter_map(|(key, value)| {
        let diff = create_merge_patch(old.get(key).unwrap_or(&Value::Null), value);
        diff.map(|diff| (key.clone(), diff))
    });
    Some(removed_fields.chain(changed_fields).collect())
}

/// Returns the result of server-side apply for a field manager that applied `last_applied` before.
/// Fields that the manager applied only before are removed, fields that it applies now are set, and
/// all other fields remain. Lists with equal sequences of `name`s are merged element by element;
/// other lists are replaced.
#[must_use]
pub fn apply(live: &Value, last_applied: &Value, applied: &Value) -> Value {
    match (live, applied) {
        (Value::Object(live), Value::Object(applied)) => {
            let is_removed =
                |key: &str| last_applied.get(key).is_some() && !applied.contains_key(key);
            let kept_fields = live.iter().filter(|(key, _)| !is_removed(key));
            let mut merged: Map<String, Value> = kept_fields
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            for (key, value) in applied {
                let value = match live.get(key) {
                    Some(live) => apply(live, last_applied.get(key).unwrap_or(&Value::Null), value),
                    None => value.clone(),
                };
                merged.insert(key.clone(), value);
            }
            Value::Object(merged)
        }
        (Value::Array(live), Value::Array(applied))
            if element_names(live) == element_names(applied) =>
        {
            let merged = live.iter().zip(applied).map(|(live, applied)| {
                let last_applied = last_applied.as_array().into_iter().flatten();
                let mut last_applied = last_applied
                    .filter(|last_applied| last_applied.get("name") == applied.get("name"));
                apply(live, last_applied.next().unwrap_or(&Value::Null), applied)
            });
            merged.collect()
        }
        _ => applied.clone(),
    }
}

/// Returns an object without the fields that its structural schema does not specify.
#[must_use]
pub fn prune(object: &Value, schema: &Value) -> Value {
    if schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true)) {
        return object.clone();
    }
    match object {
        Value::Object(object) => {
            let properties = schema.get("properties");
            let additional_properties = schema.get("additionalProperties");
            if properties.or(additional_properties).is_none() {
                return Value::Object(object.clone());
            }
            let specified_fields = object.iter().filter_map(|(key, value)| {
                let property = properties.and_then(|properties| properties.get(key));
                let value = prune(value, property.or(additional_properties)?);
                Some((key.clone(), value))
            });
            Value::Object(specified_fields.collect())
        }
        Value::Array(list) => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            list.iter().map(|item| prune(item, items)).collect()
        }
        scalar => scalar.clone(),
    }
}

/// Returns the properties of a schema, with their schemas.
pub(crate) fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten()
}

fn element_names(list: &[Value]) -> Vec<Option<&Value>> {
    list.iter().map(|element| element.get("name")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn created_merge_patches_change_one_object_into_the_other() {
        let objects = [
            json!({}),
            json!({"a": 1}),
            json!({"a": {"b": 1, "c": 2}}),
            json!({"a": {"b": 1}, "d": [1, {"e": 1}]}),
            json!({"a": {"b": {}}, "d": [1]}),
        ];
        for source in &objects {
            for target in &objects {
                let mut patched = source.clone();
                if let Some(patch) = create_merge_patch(source, target) {
                    merge_patch(&mut patched, &patch);
                }
                assert_eq!(patched, *target, "from {source}");
            }
        }
    }

    #[test]
    fn apply_removes_owned_fields_and_keeps_other_fields() {
        let live = json!({"a": 1, "b": 2, "l": [{"name": "x", "c": 1, "d": 2}]});
        let last_applied = json!({"a": 1, "l": [{"name": "x", "c": 1}]});
        let applied = json!({"e": 5, "l": [{"name": "x", "f": 6}]});
        let merged = json!({"b": 2, "e": 5, "l": [{"name": "x", "d": 2, "f": 6}]});
        assert_eq!(apply(&live, &last_applied, &applied), merged);
    }

    #[test]
    fn pruning_removes_only_unspecified_fields() {
        let schema = json!({"properties": {"a": {}, "b": {"properties": {"c": {}}}}});
        let object = json!({"a": {"x": 1}, "b": {"c": null, "d": 2}, "e": {}});
        assert_eq!(
            prune(&object, &schema),
            json!({"a": {"x": 1}, "b": {"c": null}})
        );
    }
}
