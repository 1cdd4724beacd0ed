//! Tests of kube's root type with `#[kube(derive = "Union", attr = "union(nested(spec))")]`, so
//! that paths start at `spec`.

use std::collections::BTreeMap;

use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{ObjectRef, Union};

use crate::answer::{create, update};
use crate::types::{Choice, Source};

#[derive(CustomResource, Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Stage",
    status = "StageStatus",
    derive = "Union",
    attr = "union(nested(spec, status))"
)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<StageSpec>)]
struct StageSpec {
    #[union(nested, list_map_keys("name"))]
    #[serde(default)]
    volumes: Vec<Volume>,
    #[union(nested)]
    #[serde(default)]
    by_name: BTreeMap<String, Choice>,
    #[union(inline)]
    #[serde(flatten)]
    choice: Option<Choice>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Volume>)]
struct Volume {
    #[union(key)]
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct StageStatus {
    #[union(nested)]
    last: Option<Source>,
}

fn stage(spec: &Value, status: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Stage",
        "metadata": {"name": "s"},
        "spec": spec,
        "status": status,
    })
}

#[test]
fn paths_start_at_spec_and_status() {
    let spec = json!({
        "volumes": [{"name": "a"}, {"name": "b", "hostPath": 1}, {"name": "c", "hostPath": 1, "emptyDir": 1}],
        "byName": {"a": {"kind": "Alpha", "alpha": 1, "beta": 1}},
        "kind": "Nothing",
        "alpha": 1,
    });
    let object = stage(&spec, &json!({"last": {"hostPath": 1, "emptyDir": 1}}));
    create::<Stage>(&object).assert_lines(
        &[],
        &[
            "spec.volumes[2]",
            "spec.byName[a].beta",
            "spec.alpha",
            "status.last",
        ],
        &[],
    );
}

#[test]
fn changes_start_at_spec_and_status_and_lists_are_correlated_by_key() {
    let old = stage(
        &json!({"volumes": [{"name": "a", "hostPath": 1}, {"name": "b", "emptyDir": 1}], "kind": "Alpha", "alpha": 1}),
        &json!({"last": {"hostPath": 1}}),
    );
    let new = stage(
        &json!({
            "volumes": [{"name": "x"}, {"name": "b", "emptyDir": 1, "hostPath": 2}, {"name": "a", "hostPath": 1, "emptyDir": 2}],
            "kind": "Beta",
            "alpha": 1,
            "beta": 2,
        }),
        &json!({"last": {"hostPath": 1, "emptyDir": 2}}),
    );
    update::<Stage>(&old, &new).assert_lines(
        &[
            "spec.volumes[1].emptyDir: cleared",
            "spec.volumes[2].hostPath: cleared",
            "spec.alpha: cleared",
            "status.last.hostPath: cleared",
        ],
        &[],
        &[],
    );
}

#[test]
fn null_and_absent_statuses_are_valid() {
    let mut object = stage(&json!({}), &Value::Null);
    create::<Stage>(&object).assert_lines(&[], &[], &[]);
    object.as_object_mut().expect("an object").remove("status");
    create::<Stage>(&object).assert_lines(&[], &[], &[]);
}

#[test]
fn a_status_for_the_client_names_the_fields_of_the_whole_object() {
    let object = stage(&json!({"kind": "Beta"}), &Value::Null);
    let stage: Stage = crate::answer::read(&object);
    let object = ObjectRef {
        group: "example.com",
        kind: "Stage",
        name: "s",
    };
    let status = stage.validate_unions().status(&object);
    let status = status.expect("beta is missing");
    assert_eq!(status["details"]["causes"][0]["field"], "spec.beta");
}

#[test]
fn the_crd_has_the_rules_and_the_list_type_of_its_spec() {
    let crd = Stage::crd();
    crate::crd_file::append(&crd);
    let crd = serde_json::to_value(crd).expect("a CRD is JSON");
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let volumes = &spec["properties"]["volumes"];
    assert_eq!(volumes["x-kubernetes-list-type"], "map");
    assert_eq!(volumes["x-kubernetes-list-map-keys"], json!(["name"]));
    let rules = spec["x-kubernetes-validations"].as_array().map(Vec::len);
    assert_eq!(rules, Some(2), "{spec}");
    assert_eq!(
        spec["properties"]["kind"]["enum"],
        json!(["Nothing", "Alpha", "Beta"])
    );
}
