//! Tests of unions in custom resources of kube 5: `CustomResource` and `KubeSchema` beside the
//! derives of unions.

mod crd;
mod crd_file;
mod derive_orders;
mod enum_objects;
mod enum_values;
mod extension;
mod free_json;
mod kube_schema;
mod nested;
mod nested_root;
mod stored_forms;
mod tagged_enums;
mod union_enums;
mod unknown;
mod volumes;

#[path = "../rules/unions/nested/answer.rs"]
#[allow(dead_code, reason = "tests/rules uses the rest")]
mod answer;
#[path = "../rules/unions/nested/types.rs"]
#[allow(dead_code, reason = "tests/rules uses the rest")]
mod types;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps;
use kube::CustomResourceExt;
use serde_json::Value;

/// Returns the schema of `spec` in the CRD of a kube type.
fn spec_schema<K: CustomResourceExt>() -> JSONSchemaProps {
    let crd = K::crd();
    crd_file::append(&crd);
    let version = crd.spec.versions.into_iter().next();
    version
        .and_then(|version| {
            version
                .schema?
                .open_api_v3_schema?
                .properties?
                .remove("spec")
        })
        .unwrap_or_default()
}

/// Returns a property of a typed schema.
fn property(schema: &JSONSchemaProps, name: &str) -> JSONSchemaProps {
    let property = schema
        .properties
        .as_ref()
        .and_then(|properties| properties.get(name));
    property.cloned().unwrap_or_default()
}

/// Returns the values of a typed schema's enum.
fn enum_values(schema: &JSONSchemaProps) -> Vec<Value> {
    let enum_values = schema.enum_.iter().flatten();
    enum_values.map(|value| value.0.clone()).collect()
}

/// Returns the CEL expressions of a typed schema's rules.
fn rules(schema: &JSONSchemaProps) -> Vec<&str> {
    let rules = schema.x_kubernetes_validations.iter().flatten();
    rules.map(|rule| rule.rule.as_str()).collect()
}

const ALPHA_RULE: &str =
    "has(self.type) && self.type == 'Alpha' ? has(self.alpha) : !has(self.alpha)";
const BETA_RULE: &str = "has(self.type) && self.type == 'Beta' ? true : !has(self.beta)";
const VALUES_DESCRIPTION: &str =
    "Possible enum values:\n - `\"Alpha\"` The first.\n - `\"Beta\"`\n - `\"None\"`";
