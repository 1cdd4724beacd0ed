//! A schema that describes the fields of both schemas, to build objects for both.

use std::collections::BTreeSet;

use serde_json::Value;

/// Returns the new schema with the fields that only the old schema has. A field is
/// required if either schema requires the field.
#[must_use]
pub fn merge_schemas(old: &Value, new: &Value) -> Value {
    let (Value::Object(old_fields), Value::Object(new_fields)) = (old, new) else {
        return new.clone();
    };
    let mut merged = new_fields.clone();
    for (keyword, old_value) in old_fields {
        let merged_value = match (keyword.as_str(), new_fields.get(keyword)) {
            (_, None) => old_value.clone(),
            ("required", Some(new_value)) => union_of_lists(old_value, new_value),
            ("properties", Some(Value::Object(new_properties))) => {
                merge_properties(old_value, new_properties)
            }
            ("items" | "additionalProperties", Some(new_value)) => {
                merge_schemas(old_value, new_value)
            }
            _ => continue,
        };
        merged.insert(keyword.clone(), merged_value);
    }
    Value::Object(merged)
}

fn merge_properties(old: &Value, new: &serde_json::Map<String, Value>) -> Value {
    let mut merged = new.clone();
    for (name, old_schema) in old.as_object().into_iter().flatten() {
        let merged_schema = match new.get(name) {
            Some(new_schema) => merge_schemas(old_schema, new_schema),
            None => old_schema.clone(),
        };
        merged.insert(name.clone(), merged_schema);
    }
    Value::Object(merged)
}

fn union_of_lists(old: &Value, new: &Value) -> Value {
    let [old, new] = [old, new].map(|list| list.as_array().into_iter().flatten());
    let known: BTreeSet<Option<&str>> = new.clone().map(Value::as_str).collect();
    let only_old = old.filter(|value| !known.contains(&value.as_str()));
    new.chain(only_old).cloned().collect()
}
