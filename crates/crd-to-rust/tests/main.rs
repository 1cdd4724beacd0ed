//! Tests of the generated types, and of the CRDs that the crate rejects.

mod core_types;
mod hostile;
mod names;
mod settings;
mod written;

use crd_to_rust::{GenerateError, Settings, generate};
use serde_json::{Value, json};

/// A CRD of the kind `Shop` whose spec has these properties.
pub(crate) fn crd(properties: &Value) -> Value {
    crd_of(&json!({"type": "object", "properties": properties}))
}

/// A CRD of the kind `Shop` with this spec.
pub(crate) fn crd_of(spec: &Value) -> Value {
    json!({"spec": {
        "group": "example.com", "names": {"kind": "Shop", "plural": "shops"}, "scope": "Namespaced",
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
            "type": "object", "required": ["spec"], "properties": {"spec": spec},
        }}}],
    }})
}

/// The text for a CRD.
pub(crate) fn text(crd: &Value) -> String {
    with(crd, &Settings::default())
}

pub(crate) fn with(crd: &Value, settings: &Settings) -> String {
    let text = generate(std::slice::from_ref(crd), settings)
        .unwrap()
        .to_source()
        .unwrap();
    syn::parse_file(&text).unwrap();
    text
}

/// The type of a field with this schema.
pub(crate) fn field(schema: &Value) -> String {
    field_with(schema, &Settings::default())
}

pub(crate) fn field_with(schema: &Value, settings: &Settings) -> String {
    let text = with(&crd(&json!({ "x": schema })), settings);
    // A long type is laid out in lines.
    let (_, behind) = text.split_once("pub x:").unwrap();
    let (ty, _) = behind.split_once(",\n").unwrap();
    let ty: String = ty.split_whitespace().collect();
    ty.replace(",>", ">")
}

/// Returns the reason for which the crate rejects a CRD.
pub(crate) fn refused(crd: &Value) -> GenerateError {
    generate(std::slice::from_ref(crd), &Settings::default()).unwrap_err()
}

/// Asserts that a text has lines, one below the other, whatever their indentation.
#[track_caller]
pub(crate) fn assert_lines(text: &str, lines: &str) {
    let flat = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert!(
        flat(text).contains(&flat(lines.trim())),
        "{lines}\nis not in\n{text}"
    );
}
