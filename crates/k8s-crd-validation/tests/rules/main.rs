//! Tests of CEL rules of whole custom resources, through the public interface of the crate: the
//! answers are the answers of an API server.

mod cost;
mod hostile;
mod mutated;
mod requests;
mod server_behavior;

use k8s_crd_validation::{Report, ServerSettings, StructuralSchema};
use serde_json::{Value, json};

/// Returns a schema whose `spec` has these properties and rules.
fn schema(properties: &Value, rules: &Value) -> StructuralSchema {
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": properties, "x-kubernetes-validations": rules},
    }});
    StructuralSchema::compile(&schema).expect("the schema is valid")
}

/// Returns a schema whose `spec` has one rule.
fn with_rule(properties: &Value, rule: &str) -> StructuralSchema {
    schema(properties, &json!([{"rule": rule}]))
}

fn create(schema: &StructuralSchema, spec: &Value) -> Report {
    schema.create(&mut json!({"spec": spec}), &ServerSettings::default())
}

fn update(schema: &StructuralSchema, old: &Value, new: &Value) -> Report {
    let old = json!({"spec": old});
    schema.update(&mut json!({"spec": new}), &old, &ServerSettings::default())
}

fn error_messages(report: &Report) -> Vec<String> {
    report.errors().iter().map(ToString::to_string).collect()
}

/// Returns the errors for which a server rejects a schema.
fn compile_errors(properties: &Value, rules: &Value) -> Vec<String> {
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": properties, "x-kubernetes-validations": rules},
    }});
    match StructuralSchema::compile(&schema) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.errors().iter().map(ToString::to_string).collect(),
    }
}
