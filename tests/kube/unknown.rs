//! Tests of unknown members in custom resources: a list with a newer object is read and written
//! back unchanged, and the CRD does not show the map.

use std::collections::BTreeMap;

use kube::core::ObjectList;
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, Settings, Union, add_enum, add_unions};

use crate::crd::{Kind, Required};
use crate::{property, spec_schema};

/// The union of `RequiredSpec` with a map of unknown members. The root type has a nested union, so
/// that paths start at `spec`.
#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Keeping",
    namespaced,
    derive = "Union",
    attr = "union(nested(spec))"
)]
#[schemars(transform = add_unions::<KeepingSpec>)]
struct KeepingSpec {
    /// Which one counts.
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)]
    rest: BTreeMap<String, Value>,
}

/// A union with `KubeSchema`, which copies the fields to a struct of its own.
#[derive(Union, Serialize, Deserialize, Clone, Debug, KubeSchema)]
#[x_kube(validation = "true")]
#[schemars(transform = add_unions::<WithKubeSchema>)]
struct WithKubeSchema {
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[x_kube(validation = "self > 0")]
    alpha: Option<i32>,
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip)]
    rest: BTreeMap<String, Value>,
}

/// An element with a name and a flattened union.
#[derive(Union, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_unions::<Step>)]
struct Step {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    what: WithKubeSchema,
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Pipeline",
    namespaced,
    derive = "Union",
    attr = "union(nested(spec))"
)]
#[schemars(transform = add_unions::<PipelineSpec>)]
struct PipelineSpec {
    #[union(nested, list_map_keys("name"))]
    steps: Vec<Step>,
}

/// An enum type that cannot hold unknown values.
#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_enum::<Closed>)]
enum Closed {
    Alpha,
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Failing", namespaced)]
#[schemars(transform = add_unions::<FailingSpec>)]
struct FailingSpec {
    #[union(discriminator)]
    r#type: Closed,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

/// Returns an object of a kind.
fn object(kind: &str, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": kind,
        "metadata": { "name": name, "namespace": "default" },
        "spec": spec,
    })
}

/// Returns the list of objects that a server sends.
fn list(kind: &str, specs: &[Value]) -> Value {
    let items: Vec<Value> = specs
        .iter()
        .enumerate()
        .map(|(i, spec)| object(kind, &format!("object-{i}"), spec))
        .collect();
    json!({
        "apiVersion": "example.com/v1",
        "kind": format!("{kind}List"),
        "metadata": { "resourceVersion": "7" },
        "items": items,
    })
}

fn list_with_unknown_value(kind: &str) -> Value {
    let specs = [
        json!({ "type": "Alpha", "alpha": 1 }),
        json!({ "type": "Gamma", "gamma": { "size": 3, "parts": [{ "name": "a" }, null] } }),
        json!({ "type": "None" }),
    ];
    list(kind, &specs)
}

/// Returns the list after it was read from a string, as a client reads it, and written.
fn round_trip<K: Clone + Serialize + DeserializeOwned>(list: &Value) -> serde_json::Result<Value> {
    let parsed_list: ObjectList<K> = serde_json::from_str(&list.to_string())?;
    let json = serde_json::to_string(&parsed_list)?;
    // A field that is written twice makes the JSON longer.
    assert_eq!(
        json.len(),
        serde_json::from_str::<Value>(&json)?.to_string().len()
    );
    serde_json::from_str(&json)
}

#[test]
fn a_list_with_a_newer_object_is_written_as_it_was_read() {
    let list = list_with_unknown_value("Keeping");
    assert_eq!(
        round_trip::<Keeping>(&list).expect("a readable value"),
        list
    );
}

#[test]
fn a_list_with_newer_elements_is_written_as_it_was_read() {
    let steps = json!([
        { "name": "a", "type": "Alpha", "alpha": 1 },
        { "name": "b", "type": "Gamma", "gamma": [1, 2], "color": null },
    ]);
    let list = list(
        "Pipeline",
        &[json!({ "steps": [] }), json!({ "steps": steps })],
    );
    assert_eq!(
        round_trip::<Pipeline>(&list).expect("a readable value"),
        list
    );
}

/// Checks the behavior without the map, which is the reason for the map.
#[test]
fn without_the_map_the_member_is_lost_and_without_other_the_list_is_unreadable() {
    let list_without_member =
        round_trip::<Required>(&list_with_unknown_value("Required")).expect("a readable value");
    assert_eq!(
        list_without_member["items"][1]["spec"],
        json!({ "type": "Gamma" })
    );
    let error = round_trip::<Failing>(&list_with_unknown_value("Failing"))
        .expect_err("one unreadable object makes the list unreadable");
    assert!(
        error.to_string().contains("unknown variant `Gamma`"),
        "{error}"
    );
}

#[test]
fn an_update_away_from_a_newer_value_clears_its_member_at_its_path() {
    let parse_object = |spec: &Value| -> Keeping {
        serde_json::from_value(object("Keeping", "a", spec)).expect("a readable value")
    };
    let old = parse_object(&json!({ "type": "Gamma", "gamma": 1, "delta": 2 }));
    let mut new = parse_object(&json!({ "type": "Alpha", "alpha": 1, "gamma": 1, "delta": 2 }));
    let changes = new.normalize_unions(Some(&old), &Settings::default());
    assert_eq!(changes.to_string(), "spec.gamma: cleared");
    assert!(
        new.validate_unions_update(&old, &Settings::default())
            .is_accepted()
    );
    assert_eq!(
        serde_json::to_value(&new.spec).ok(),
        Some(json!({ "type": "Alpha", "alpha": 1, "delta": 2 }))
    );
}

#[test]
fn an_update_away_from_a_newer_value_clears_its_member_in_a_list_element() {
    let parse_object = |steps: &Value| -> Pipeline {
        serde_json::from_value(object("Pipeline", "a", &json!({ "steps": steps })))
            .expect("a readable value")
    };
    let old = parse_object(&json!([{ "name": "a", "type": "Gamma", "gamma": 1 }]));
    let mut new = parse_object(&json!([
        { "name": "b", "type": "None", "gamma": 1 },
        { "name": "a", "type": "None", "gamma": 1 },
    ]));
    let changes = new.normalize_unions(Some(&old), &Settings::default());
    assert_eq!(changes.to_string(), "spec.steps[1].gamma: cleared");
}

#[test]
fn the_map_of_unknown_members_does_not_change_the_crd() {
    let mut keeping = spec_schema::<Keeping>();
    keeping.description = spec_schema::<Required>().description;
    assert_eq!(keeping, spec_schema::<Required>());
}

#[test]
fn an_api_server_prunes_fields_that_the_crd_lacks() {
    for crd in [Keeping::crd(), Pipeline::crd()] {
        let text = serde_json::to_string(&crd).expect("a CRD is JSON");
        for trace_of_map in ["\"rest\"", "additionalProperties", "preserve-unknown"] {
            assert!(!text.contains(trace_of_map), "{trace_of_map}: {text}");
        }
    }
    let steps = property(&spec_schema::<Pipeline>(), "steps");
    assert_eq!(steps.x_kubernetes_list_type.as_deref(), Some("map"));
}
