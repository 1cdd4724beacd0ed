//! Types that contain themselves, which a CRD cannot describe.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::CrdError;
use union_runtime::path::{FieldPath, Path};

/// The attribute that ends a recursion.
const ATTRIBUTE: &str = "#[schemars(with = \"serde_json::Value\", extend(\"x-kubernetes-preserve-unknown-fields\" = true))]";

/// The attribute for an optional field.
const ATTRIBUTE_OF_OPTION: &str = "Option<serde_json::Value>";

/// Returns the error for a schema with a recursive type. The generator writes the schema of each
/// type in place, so a reference remains only where a type contains itself.
pub(super) fn recursion_error(schema: &Value) -> Option<CrdError> {
    let mut references = BTreeMap::new();
    find_references(schema, &Path::ROOT, &mut references);
    let first_path = references.values().flatten().next()?.clone();
    let types = references.iter().map(|(name, paths)| {
        let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        format!("`{name}` contains itself, by {}", paths.join(" and by "))
    });
    let types: Vec<String> = types.collect();
    Some(CrdError::new(
        first_path,
        format!(
            "{}; a CRD cannot describe a recursive type; write `{ATTRIBUTE}` on each of these fields \
             (`{ATTRIBUTE_OF_OPTION}` if the field is an `Option`)",
            types.join("; ")
        ),
    ))
}

/// Adds the references in a schema, with the name of the type and the path of the field.
fn find_references(
    schema: &Value,
    path: &Path<'_>,
    references: &mut BTreeMap<String, Vec<FieldPath>>,
) {
    if let Some(Value::String(reference)) = schema.get("$ref") {
        let name = reference.rsplit('/').next().unwrap_or_default();
        let paths = references.entry(name.to_owned()).or_default();
        let path = path.to_field_path();
        if !paths.contains(&path) {
            paths.push(path);
        }
        return;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        find_references(property, &path.field(name), references);
    }
    // The elements and values of a field have the path of the field, on which the attribute is.
    for keyword in ["items", "additionalProperties"] {
        if let Some(child) = schema.get(keyword) {
            find_references(child, path, references);
        }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let branches = schema.get(keyword).and_then(Value::as_array);
        for branch in branches.into_iter().flatten() {
            find_references(branch, path, references);
        }
    }
}
