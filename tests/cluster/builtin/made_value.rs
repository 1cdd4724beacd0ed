//! Values for fields, of the form that the types describe.

use serde_json::{Map, Value, json};

use crate::types::{Field, Form, Types};

/// The depth to which required fields are filled in.
const MAX_DEPTH: usize = 12;

/// The number of values of an enum that are tried.
const MAX_VALUES: usize = 8;

/// Returns the smallest object of a type: its required fields.
pub(crate) fn object(types: &Types, definition: &str) -> Value {
    object_at(types, definition, 0)
}

/// Returns the values to try for a field: each value of an enum, or one value.
pub(crate) fn values(types: &Types, field: &Field) -> Vec<Value> {
    if let Form::Scalar(schema) = &field.form
        && let Some(values) = schema["enum"].as_array()
    {
        return values.iter().take(MAX_VALUES).cloned().collect();
    }
    vec![value(types, &field.name, &field.form)]
}

/// Returns the objects of a type with one optional field each.
pub(crate) fn objects_with_one_field(types: &Types, definition: &str) -> Vec<Value> {
    let fields = types.fields(definition).into_iter();
    let optional = fields.filter(|field| !field.is_required);
    let with = |field: Field| {
        let mut object = object(types, definition);
        object[&field.name] = value(types, &field.name, &field.form);
        object
    };
    optional.map(with).collect()
}

/// Returns a value for a field.
pub(crate) fn value(types: &Types, name: &str, form: &Form) -> Value {
    value_at(types, name, form, 0)
}

fn object_at(types: &Types, definition: &str, depth: usize) -> Value {
    let mut object = Map::new();
    if depth < MAX_DEPTH {
        let fields = types.fields(definition);
        for field in fields.iter().filter(|field| field.is_required) {
            let value = value_at(types, &field.name, &field.form, depth + 1);
            object.insert(field.name.clone(), value);
        }
    }
    Value::Object(object)
}

fn value_at(types: &Types, name: &str, form: &Form, depth: usize) -> Value {
    match form {
        Form::Object(definition) => object_at(types, definition, depth),
        Form::List(element) => json!([value_at(types, name, element, depth)]),
        Form::Map(element) => json!({ "a": value_at(types, name, element, depth) }),
        Form::Scalar(schema) => scalar(name, schema),
    }
}

/// Returns a scalar. The server's own checks of strings differ by field, so the name of the field
/// selects a string.
fn scalar(name: &str, schema: &Value) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    let format = schema["format"].as_str().unwrap_or_default();
    match (schema["type"].as_str(), format) {
        (Some("boolean"), _) => true.into(),
        (Some("integer" | "number"), _) | (_, "int-or-string" | "IntOrString") => 1.into(),
        (_, "Quantity") => "1".into(),
        (_, "date-time" | "Time") => "2026-01-01T00:00:00Z".into(),
        (_, "MicroTime") => "2026-01-01T00:00:00.000000Z".into(),
        (_, "byte") => "YQ==".into(),
        (Some("string"), _) => text(name).into(),
        _ => json!({}),
    }
}

fn text(name: &str) -> &'static str {
    match name {
        "apiVersion" => "v1",
        "mountPath" | "path" => "/a",
        "expression" | "valueExpression" => "true",
        "image" => "registry.example/a",
        "driver" | "provisioner" | "driverName" | "signerName" | "controllerName" => {
            "a.example.com"
        }
        "ip" | "address" | "podIP" | "hostIP" => "10.0.0.1",
        "cidr" => "10.0.0.0/24",
        "url" => "https://a.example.com",
        _ => "a",
    }
}
