//! Finds the schema of a value in the schema of an object.

use serde_json::{Map, Value, json};
use union_runtime::path::PathStep;

/// Returns the schema of the value at a step below a value with this schema.
pub(crate) fn schema_at<'s>(schema: &'s Value, step: PathStep<'_>) -> Option<&'s Value> {
    match step {
        PathStep::Index(_) => schema.get("items"),
        PathStep::Field(name) | PathStep::Key(name) => property_schema(schema, name),
    }
}

/// Returns the schema of a field of an object.
pub(crate) fn property_schema<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let property = properties(schema).and_then(|properties| properties.get(name));
    let values = || schema.get("additionalProperties");
    property.or_else(values).filter(|schema| schema.is_object())
}

pub(crate) fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

/// Returns the names in `required`.
pub(crate) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// The fields that select the CRD and the version. They are not changed.
const TYPE_FIELDS: [&str; 2] = ["apiVersion", "kind"];

/// Returns the schema of the fields that can be changed: all fields except `apiVersion` and `kind`,
/// and of `metadata` only the name.
#[must_use]
pub fn changeable_schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let Some(fields) = schema.as_object_mut() else {
        return json!({"type": "object"});
    };
    let properties = fields.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        for name in TYPE_FIELDS {
            properties.remove(name);
        }
        let metadata = properties.entry("metadata");
        let metadata = metadata.or_insert_with(|| json!({"type": "object"}));
        let name_schema = metadata.pointer("/properties/name").cloned();
        let name_schema = name_schema.unwrap_or_else(|| json!({"type": "string"}));
        *metadata = json!({
            "type": "object", "properties": {"name": name_schema}, "required": ["name"],
        });
    }
    if let Some(required) = fields.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !TYPE_FIELDS.map(Some).contains(&name.as_str()));
    }
    schema
}

/// Returns the schemas in the combinators of a schema.
pub(crate) fn branches(schema: &Value) -> impl Iterator<Item = &Value> {
    let lists = ["allOf", "anyOf", "oneOf"].into_iter();
    let lists = lists.filter_map(|keyword| schema.get(keyword)?.as_array());
    lists.flatten().chain(schema.get("not"))
}
