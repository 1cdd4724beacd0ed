//! Tests that validate custom resources as an API server does.
#![expect(
    clippy::needless_pass_by_value,
    reason = "cases are written down as values"
)]

mod advice;
mod branches;
mod compare;
mod compile_errors;
mod decode;
mod formats;
mod hostile;
#[path = "../../../../tests/reference/recorded/lines.rs"]
mod lines;
mod memory;
mod nulls;
mod older_versions;
mod origins;
mod policies;
mod ratchets;
mod recorded;
mod replay;
mod server_versions;
mod status_unions;
mod stored;
mod stories;
mod tables;
mod unknown_fields;
#[path = "../../../../tests/reference/recorded/whole_numbers.rs"]
mod whole_numbers;
mod whole_objects;

use k8s_crd_validation::{Report, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

/// Returns a schema of objects whose `spec` has the schema `spec_schema`.
fn schema(spec_schema: Value) -> StructuralSchema {
    let schema =
        json!({"type": "object", "properties": {"spec": spec_schema, "other": {"type": "string"}}});
    StructuralSchema::compile(&schema).unwrap_or_else(|errors| panic!("{schema}: {errors}"))
}

/// Adds metadata, so that the object is a resource. The schemas of the tests do not describe
/// metadata, so a server never treats the root as equal to its old root.
fn resource(object: &Value) -> Value {
    let mut object = object.clone();
    object["metadata"] = json!({"name": "a", "resourceVersion": "1"});
    object
}

fn update(schema: &StructuralSchema, old: &Value, new: &Value) -> Report {
    schema.update(
        &mut resource(new),
        &resource(old),
        &ServerSettings::default(),
    )
}

fn errors(report: &Report) -> Vec<String> {
    report.errors().iter().map(ToString::to_string).collect()
}
