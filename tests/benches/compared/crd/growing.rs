//! Objects with a list or a map that grows.

use serde_json::{Map, Value, json};

use super::input::Input;

/// The kinds of lists and maps that grow.
pub(crate) const CONTAINERS: [&str; 4] = ["atomic list", "set", "list by key", "map"];

/// Returns an object with `size` entries in `spec.entries`. The function `spoil` makes every entry
/// invalid.
pub(crate) fn input(container: &str, size: usize) -> Input {
    let string_schema = json!({"type": "string", "maxLength": 12});
    let entry_schema = json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "value": string_schema}});
    let names = (0..size).map(|i| format!("name-{i}"));
    let (schema, entries): (Value, Value) = match container {
        "atomic list" => (
            json!({"type": "array", "items": string_schema}),
            names.collect(),
        ),
        "set" => (
            json!({"type": "array", "items": string_schema, "x-kubernetes-list-type": "set"}),
            names.collect(),
        ),
        "list by key" => (
            json!({"type": "array", "items": entry_schema, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}),
            names
                .map(|name| json!({"name": name, "value": "short"}))
                .collect(),
        ),
        _ => (
            json!({"type": "object", "additionalProperties": string_schema}),
            Value::Object(
                names
                    .map(|name| (name, json!("short")))
                    .collect::<Map<_, _>>(),
            ),
        ),
    };
    let spec = json!({"type": "object", "properties": {"entries": schema}});
    let version = json!({
        "name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
    });
    Input {
        crd: json!({"spec": {
            "group": "bench.example.com", "scope": "Namespaced", "versions": [version],
            "names": {"kind": "Grown", "plural": "growns"},
        }}),
        version: "v1",
        objects: vec![json!({
            "apiVersion": "bench.example.com/v1", "kind": "Grown",
            "metadata": {"name": "grown", "namespace": "default", "resourceVersion": "7"},
            "spec": {"entries": entries},
        })],
        spoil: |object| spoil_entries(&mut object["spec"]["entries"]),
        spoiled_error_count: size,
    }
}

/// Lengthens the value of every entry beyond the limit of the schema.
fn spoil_entries(entries: &mut Value) {
    let lengthen = |value: &mut Value| {
        *value = json!(format!(
            "{} is long now",
            value.as_str().unwrap_or_default()
        ));
    };
    match entries {
        Value::Array(entries) => {
            for entry in entries {
                match entry {
                    Value::Object(fields) => lengthen(&mut fields["value"]),
                    value => lengthen(value),
                }
            }
        }
        Value::Object(entries) => entries.values_mut().for_each(lengthen),
        _ => {}
    }
}
