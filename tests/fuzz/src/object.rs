//! Objects that mostly match a schema.

use serde_json::{Map, Value, json};

use crate::schema::{NAMES, TEXTS};
use crate::source::Source;

/// Returns an object of a schema, or in some cases a value of another type.
pub fn object(source: &mut Source<'_>, schema: &Value) -> Value {
    if source.chance(14) {
        return source.json(&TEXTS);
    }
    source
        .nested(|source| value(source, schema))
        .unwrap_or_default()
}

/// Returns a value of a schema.
fn value(source: &mut Source<'_>, schema: &Value) -> Value {
    if let Some(values) = schema.get("enum").and_then(Value::as_array)
        && !values.is_empty()
        && source.chance(220)
    {
        return source.pick(values).clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => Value::Object(fields(source, schema)),
        Some("array") => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            let mut list = Vec::new();
            while source.chance(170) {
                list.push(object(source, items));
            }
            Value::Array(list)
        }
        Some("string") => json!(source.text(&TEXTS)),
        Some("boolean") => json!(source.chance(128)),
        Some(_) => source.number(),
        None => source.json(&NAMES),
    }
}

/// Returns the fields of an object of a schema.
fn fields(source: &mut Source<'_>, schema: &Value) -> Map<String, Value> {
    let mut fields = Map::new();
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (name, schema) in properties {
            if source.chance(170) {
                fields.insert(name.clone(), object(source, schema));
            }
        }
    }
    let additional_schema = schema.get("additionalProperties").unwrap_or(&Value::Null);
    while source.chance(40) {
        let name = source.text(&NAMES);
        fields.insert(name, object(source, additional_schema));
    }
    fields
}

/// Changes a few values of an object.
pub fn mutate(source: &mut Source<'_>, value: &mut Value, schema: &Value) {
    match &mut *value {
        Value::Object(fields) if !fields.is_empty() && source.chance(210) => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = source.pick(&names).clone();
            let child_schema = schema.pointer(&format!("/properties/{name}"));
            let child_schema = child_schema.or(schema.get("additionalProperties"));
            let child_schema = child_schema.unwrap_or(&Value::Null);
            match source.below(4) {
                0 => {
                    fields.remove(&name);
                }
                1 => {
                    fields.insert(name, object(source, child_schema));
                }
                _ => {
                    if let Some(field) = fields.get_mut(&name) {
                        source.nested(|source| mutate(source, field, child_schema));
                    }
                }
            }
        }
        Value::Array(list) if !list.is_empty() && source.chance(210) => {
            let index = source.below(list.len());
            let child_schema = schema.get("items").unwrap_or(&Value::Null);
            match source.below(5) {
                0 => {
                    list.remove(index);
                }
                1 => list.insert(index, object(source, child_schema)),
                2 => list.reverse(),
                3 => list.push(list[index].clone()),
                _ => {
                    source.nested(|source| mutate(source, &mut list[index], child_schema));
                }
            }
        }
        _ => *value = object(source, schema),
    }
    if source.chance(90) {
        mutate(source, value, schema);
    }
}

/// Adds the API version, the kind and the metadata.
#[must_use]
pub fn with_type_and_metadata(mut object: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.insert("apiVersion".into(), json!("g/v1"));
        fields.insert("kind".into(), json!("K"));
        fields.insert(
            "metadata".into(),
            json!({"name": "n", "namespace": "n", "resourceVersion": "1"}),
        );
    }
    object
}
