//! Tests of the schemas that the schema hook, `schema_for` and `PruneEnums` return for a type,
//! without kube.

mod author_rules;
mod cel_names;
mod cel_rules;
mod contradictions;
mod defaults;
mod discriminators;
mod docs;
mod enforcement;
mod enum_fields;
mod enum_json;
mod extension;
mod finish;
mod member_schemas;
mod openapi;
mod openapi_keywords;
mod openapi_round_trip;
mod parents;
mod prune;
mod shapes;

use schemars::JsonSchema;
use serde_json::{Value, json};
use union_runtime::schema_for;

/// Returns the schema of a property in the finished schema of a type.
fn property<T: JsonSchema>(name: &str) -> Value {
    schema_for::<T>().to_value()["properties"][name].clone()
}

/// Returns the CEL rules of the finished schema of a type.
fn cel_rules<T: JsonSchema>() -> Vec<Value> {
    cel_rules_of(&schema_for::<T>().to_value())
}

fn cel_rules_of(schema: &Value) -> Vec<Value> {
    let rules = schema["x-kubernetes-validations"].as_array();
    rules.cloned().unwrap_or_default()
}

/// Returns the expressions of the CEL rules of the finished schema of a type.
fn rule_expressions<T: JsonSchema>() -> Vec<String> {
    let rules = cel_rules::<T>();
    let expression = |rule: &Value| rule["rule"].as_str().unwrap_or_default().to_owned();
    rules.iter().map(expression).collect()
}

/// Returns the extension for the members `alpha` and `beta`, and for a value without a member.
fn alpha_beta_extension() -> Value {
    json!({ "fieldMembers": {
        "ALPHA": { "name": "alpha", "optional": false },
        "BETA": { "name": "beta", "optional": false },
        "NONE": null,
    } })
}
