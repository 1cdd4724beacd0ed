//! Tests of the generated types, and of the CRDs that the crate rejects.

mod core_types;
mod generated_code;
mod hostile;
mod names;
mod roots;
mod settings;

use crd_to_rust::{GenerateError, Settings, generate};
use serde_json::{Value, json};

/// Returns a CRD of the kind `Shop` with these properties in `spec`.
pub(crate) fn crd_with_properties(properties: &Value) -> Value {
    crd_with_spec(&json!({"type": "object", "properties": properties}))
}

/// Returns a CRD of the kind `Shop` with this schema of `spec`.
pub(crate) fn crd_with_spec(spec: &Value) -> Value {
    json!({"spec": {
        "group": "example.com", "names": {"kind": "Shop", "plural": "shops"}, "scope": "Namespaced",
        "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
            "type": "object", "required": ["spec"], "properties": {"spec": spec},
        }}}],
    }})
}

/// Returns the generated code for a CRD.
pub(crate) fn generate_code(crd: &Value) -> String {
    generate_code_with(crd, &Settings::default())
}

/// Returns the generated code for a CRD with these settings. Panics if the code is not valid Rust.
pub(crate) fn generate_code_with(crd: &Value, settings: &Settings) -> String {
    let code = generate(std::slice::from_ref(crd), settings)
        .unwrap()
        .to_source()
        .unwrap();
    syn::parse_file(&code).unwrap();
    code
}

/// Returns the generated type of a field with this schema.
pub(crate) fn field_type(schema: &Value) -> String {
    field_type_with(schema, &Settings::default())
}

pub(crate) fn field_type_with(schema: &Value, settings: &Settings) -> String {
    let code = generate_code_with(&crd_with_properties(&json!({ "x": schema })), settings);
    // A long type is formatted in several lines.
    let (_, code_from_type) = code.split_once("pub x:").unwrap();
    let (ty, _) = code_from_type.split_once(",\n").unwrap();
    let ty: String = ty.split_whitespace().collect();
    ty.replace(",>", ">")
}

/// Returns the error of the generator for a CRD.
pub(crate) fn generate_error(crd: &Value) -> GenerateError {
    generate(std::slice::from_ref(crd), &Settings::default()).unwrap_err()
}

/// Asserts that the code has these consecutive lines, with any indentation.
#[track_caller]
pub(crate) fn assert_contains_lines(code: &str, lines: &str) {
    let trimmed = |code: &str| code.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert!(
        trimmed(code).contains(&trimmed(lines.trim())),
        "{lines}\nis not in\n{code}"
    );
}
