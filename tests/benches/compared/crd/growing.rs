//! Objects with a list or a map that grows.

use serde_json::{Map, Value, json};

use super::input::Input;

/// The kinds of lists and maps that grow.
pub(crate) const ENTRIES: [&str; 4] = ["atomic list", "set", "list by key", "map"];

/// Returns an object with `size` entries in `spec.entries`. The function `spoil` makes every entry
/// invalid.
pub(crate) fn input(shape: &str, size: usize) -> Input {
    let text = json!({"type": "string", "maxLength": 12});
    let entry = json!({"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "value": text}});
    let names = (0..size).map(|i| format!("name-{i}"));
    let (schema, entries): (Value, Value) = match shape {
        "atomic list" => (json!({"type": "array", "items": text}), names.collect()),
        "set" => (
            json!({"type": "array", "items": text, "x-kubernetes-list-type": "set"}),
            names.collect(),
        ),
        "list by key" => (
            json!({"type": "array", "items": entry, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}),
            names
                .map(|name| json!({"name": name, "value": "short"}))
                .collect(),
        ),
        _ => (
            json!({"type": "object", "additionalProperties": text}),
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
        spoil: |object| spoil(&mut object["spec"]["entries"]),
        spoiled: size,
    }
}

fn spoil(entries: &mut Value) {
    let lengthen = |text: &mut Value| {
        *text = json!(format!("{} is long now", text.as_str().unwrap_or_default()));
    };
    match entries {
        Value::Array(entries) => {
            for entry in entries {
                match entry {
                    Value::Object(fields) => lengthen(&mut fields["value"]),
                    text => lengthen(text),
                }
            }
        }
        Value::Object(entries) => entries.values_mut().for_each(lengthen),
        _ => {}
    }
}
