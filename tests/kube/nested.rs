//! Tests of unions below `spec`: in a field, an `Option`, a list, a map and a status.

use std::collections::BTreeMap;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps;
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{Union, add_rules, add_unions};

use crate::crd::Kind;
use crate::{ALPHA_RULE, BETA_RULE, VALUES_DESCRIPTION, enum_values, property, rules, spec_schema};

#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_unions::<Choice>)]
struct Choice {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}

#[derive(Union, Serialize, Deserialize, Clone, Debug, KubeSchema)]
#[x_kube(validation = "true")]
#[schemars(transform = add_unions::<WithKubeSchema>)]
struct WithKubeSchema {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[x_kube(validation = "self > 0")]
    beta: Option<i32>,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Holder",
    namespaced,
    status = "Choice"
)]
struct HolderSpec {
    one: Choice,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<Choice>,
    list: Vec<Choice>,
    map: BTreeMap<String, Choice>,
    boxed: Box<Choice>,
    with_kube_schema: WithKubeSchema,
    #[serde(skip_serializing_if = "Option::is_none")]
    optional_with_kube_schema: Option<WithKubeSchema>,
    list_with_kube_schema: Vec<WithKubeSchema>,
}

fn assert_choice(schema: &JSONSchemaProps) {
    let kind = property(schema, "type");
    assert_eq!(enum_values(&kind), ["Alpha", "Beta", "None"]);
    assert_eq!(kind.description.as_deref(), Some(VALUES_DESCRIPTION));
    assert_eq!(schema.type_.as_deref(), Some("object"));
    assert_eq!(rules(schema), [ALPHA_RULE, BETA_RULE]);
}

fn assert_has_both_rules(schema: &JSONSchemaProps) {
    let kind = property(schema, "type");
    assert_eq!(enum_values(&kind), ["Alpha", "Beta", "None"]);
    assert_eq!(rules(schema), [ALPHA_RULE, BETA_RULE, "true"]);
    assert_eq!(rules(&property(schema, "beta")), ["self > 0"]);
}

/// Returns the schema of the elements of a list or map.
fn element_schema(schema: &JSONSchemaProps) -> JSONSchemaProps {
    let schema = serde_json::to_value(schema).unwrap_or_default();
    let elements = schema.get("items").or(schema.get("additionalProperties"));
    let elements = elements.cloned().unwrap_or_default();
    serde_json::from_value(elements).unwrap_or_default()
}

#[test]
fn a_field_has_the_rules_of_its_union() {
    assert_choice(&property(&spec_schema::<Holder>(), "one"));
    assert_choice(&property(&spec_schema::<Holder>(), "boxed"));
    assert_has_both_rules(&property(&spec_schema::<Holder>(), "with_kube_schema"));
}

#[test]
fn an_option_is_nullable_and_keeps_the_rules() {
    let spec = spec_schema::<Holder>();
    let optional_choice = property(&spec, "maybe");
    assert_eq!(optional_choice.nullable, Some(true));
    assert_choice(&optional_choice);
    let optional_choice = property(&spec, "optional_with_kube_schema");
    assert_eq!(optional_choice.nullable, Some(true));
    assert_has_both_rules(&optional_choice);
}

#[test]
fn elements_of_lists_and_maps_have_the_rules_of_their_union() {
    let spec = spec_schema::<Holder>();
    assert_choice(&element_schema(&property(&spec, "list")));
    assert_choice(&element_schema(&property(&spec, "map")));
    assert_has_both_rules(&element_schema(&property(&spec, "list_with_kube_schema")));
}

#[test]
fn a_status_has_the_rules_of_its_union() {
    let crd = serde_json::to_value(Holder::crd()).unwrap_or_default();
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let status: Value = schema["properties"]["status"].clone();
    assert_choice(&serde_json::from_value(status).unwrap_or_default());
}

#[test]
fn rules_are_only_on_the_structs_of_unions() {
    assert_eq!(rules(&spec_schema::<Holder>()), [] as [&str; 0]);
}

#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_unions::<Other>)]
struct Other {
    #[union(discriminator)]
    kind: Kind,
    #[union(member = "Alpha")]
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<i32>,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Flat", namespaced)]
#[schemars(transform = add_rules)]
struct FlatSpec {
    #[serde(flatten)]
    choice: Choice,
    #[serde(flatten)]
    other: Other,
}

#[test]
fn two_flattened_unions_have_all_their_rules_in_the_crd() {
    let spec = spec_schema::<Flat>();
    let mut sorted_rules = rules(&spec);
    sorted_rules.sort_unstable();
    assert_eq!(
        sorted_rules,
        [
            "has(self.kind) && self.kind == 'Alpha' ? has(self.first) : !has(self.first)",
            ALPHA_RULE,
            BETA_RULE,
        ]
    );
    assert_eq!(enum_values(&property(&spec, "type")).len(), 3);
    assert_eq!(enum_values(&property(&spec, "kind")).len(), 3);
}
