//! The form in which an API server stores a schema. The CRD of the generated types has the same
//! form, so that a comparison with the CRD in the cluster finds no differences.

use serde_json::Value;

/// The keywords whose value `false` an API server does not store.
const UNSTORED_IF_FALSE: [&str; 6] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "nullable",
    "uniqueItems",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
];

/// The keywords whose values are JSON of users instead of schemas.
const JSON_KEYWORDS: [&str; 3] = ["default", "enum", "example"];

/// The content of a part of a CRD.
#[derive(Clone, Copy)]
enum PartKind {
    /// A schema, a list of schemas, or a rule.
    Schema,
    /// Schemas by names.
    Properties,
}

/// Removes the values that an API server does not store from the schemas of a CRD: `false`, empty
/// strings and empty lists. The function is not recursive, so a CRD of any depth is safe.
pub(crate) fn remove_unstored_values(crd: &mut Value) {
    let versions = crd.pointer_mut("/spec/versions");
    let versions = versions.and_then(Value::as_array_mut).into_iter().flatten();
    let schemas = versions.filter_map(|version| version.pointer_mut("/schema/openAPIV3Schema"));
    let mut pending: Vec<_> = schemas.map(|schema| (PartKind::Schema, schema)).collect();
    while let Some((kind, part)) = pending.pop() {
        match part {
            Value::Array(parts) => pending.extend(parts.iter_mut().map(|part| (kind, part))),
            Value::Object(parts) => {
                if matches!(kind, PartKind::Schema) {
                    parts.retain(|name, value| is_stored(name, value));
                }
                for (name, part) in parts {
                    match (kind, &**name) {
                        (PartKind::Schema, "properties") => {
                            pending.push((PartKind::Properties, part));
                        }
                        (PartKind::Schema, name) if JSON_KEYWORDS.contains(&name) => {}
                        _ => pending.push((PartKind::Schema, part)),
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns true if an API server stores the value of a keyword.
fn is_stored(name: &str, value: &Value) -> bool {
    match value {
        Value::Bool(false) => !UNSTORED_IF_FALSE.contains(&name),
        Value::String(string) => !string.is_empty() || JSON_KEYWORDS.contains(&name),
        Value::Array(values) => !values.is_empty() || JSON_KEYWORDS.contains(&name),
        _ => true,
    }
}
