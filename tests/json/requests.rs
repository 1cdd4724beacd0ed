//! Tests of unions in requests for whole objects: disabled as on an API server, enabled as in a
//! webhook.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::{Ratchet, Report, Settings};

fn union() -> Value {
    json!({"type": "object", "required": ["type"], "properties": {
        "type": {"type": "string", "enum": ["A", "B"], "x-kubernetes-unions": {"fieldMembers": {
            "A": {"name": "a", "optional": false}, "B": {"name": "b", "optional": true},
        }}},
        "a": {"type": "string", "default": "made"},
        "b": {"type": "string"},
    }})
}

fn schema() -> StructuralSchema {
    // An API server does not know the key, so the lint rejects a CRD with it. A stored CRD may have
    // it.
    let root = json!({"type": "object", "properties": {"spec": union(), "status": union()}});
    let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "subresources": {"status": {}}, "schema": {"openAPIV3Schema": root}},
    ]}});
    StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .expect("a schema")
}

fn object(spec: &Value, status: &Value) -> Value {
    json!({
        "apiVersion": "g/v1", "kind": "K", "spec": spec, "status": status,
        "metadata": {"name": "n", "namespace": "n", "resourceVersion": "1"},
    })
}

fn webhook() -> ServerSettings {
    ServerSettings::default().unions(Settings::default())
}

fn messages(report: &Report) -> Vec<String> {
    report.errors().iter().map(ToString::to_string).collect()
}

#[test]
fn an_api_server_ignores_unions() {
    let mut new = object(
        &json!({"type": "B", "a": "x", "b": "y"}),
        &json!({"type": "B"}),
    );
    let report = schema().create(&mut new, &ServerSettings::default());
    assert!(report.is_accepted(), "{report:?}");
    assert_eq!(new["spec"], json!({"type": "B", "a": "x", "b": "y"}));
}

#[test]
fn unions_are_validated_after_defaulting() {
    // Without the default, the selected member would be missing.
    let mut new = object(&json!({"type": "A"}), &json!({"type": "B"}));
    let report = schema().create(&mut new, &webhook());
    assert!(report.is_accepted(), "{report:?}");
    // The default sets a member that is not selected.
    let mut new = object(&json!({"type": "B"}), &json!({"type": "B"}));
    let report = schema().create(&mut new, &webhook());
    assert_eq!(report.errors()[0].path(), "spec.a");
}

#[test]
fn an_update_is_normalized() {
    let old = object(&json!({"type": "A", "a": "x"}), &json!({"type": "B"}));
    let mut new = object(&json!({"type": "B", "a": "x"}), &json!({"type": "B"}));
    let report = schema().update(&mut new, &old, &webhook());
    assert!(report.is_accepted(), "{report:?}");
    assert_eq!(report.changes().cleared().collect::<Vec<_>>(), ["spec.a"]);
    assert_eq!(new["spec"], json!({"type": "B"}));
}

#[test]
fn an_update_of_the_status_handles_only_unions_of_the_status() {
    let invalid_value = json!({"type": "B", "a": "x"});
    let old = object(&invalid_value, &json!({"type": "A", "a": "x"}));
    // The spec has an error, and the settings tolerate no errors.
    let strict = Settings::default().ratchet(Ratchet::Off);
    let settings = ServerSettings::default().unions(strict);

    let mut new = object(
        &json!({"type": "A", "a": "y"}),
        &json!({"type": "B", "a": "x"}),
    );
    let report = schema().update_status(&mut new, &old, &settings);
    assert_eq!(messages(&report), Vec::<String>::new());
    assert_eq!(report.changes().cleared().collect::<Vec<_>>(), ["status.a"]);
    assert_eq!(
        (&new["spec"], &new["status"]),
        (&invalid_value, &json!({"type": "B"}))
    );

    let mut new = object(&invalid_value, &json!({"type": "A", "a": "x", "b": "y"}));
    let report = schema().update_status(&mut new, &old, &settings);
    assert_eq!(report.errors().len(), 1, "{report:?}");
    assert_eq!(report.errors()[0].path(), "status.b");
}

#[test]
fn an_update_of_the_status_changes_no_other_union() {
    let deduced = json!({"type": "object", "properties": {
        "type": {"type": "string"}, "a": {"type": "string"}, "b": {"type": "string"},
    }, "x-kubernetes-unions": [{"discriminator": "type", "fields-to-discriminateBy": {"a": "A", "b": "B"}}]});
    let root = json!({"type": "object", "properties": {"spec": deduced, "status": deduced}});
    let crd = json!({"spec": {"group": "g", "names": {"kind": "K"}, "versions": [
        {"name": "v1", "subresources": {"status": {}}, "schema": {"openAPIV3Schema": root}},
    ]}});
    let schema = StructuralSchema::compiler()
        .stored()
        .crd(&crd, Some("v1"))
        .expect("a schema");
    let old = object(&json!({"a": "x"}), &json!({}));
    let mut new = object(&json!({"a": "x"}), &json!({"b": "y"}));
    let report = schema.update_status(&mut new, &old, &webhook());
    assert!(report.is_accepted(), "{report:?}");
    assert_eq!(
        report.changes().discriminators_set().collect::<Vec<_>>(),
        ["status.type"]
    );
    assert_eq!(new["spec"], json!({"a": "x"}));
    assert_eq!(new["status"], json!({"type": "B", "b": "y"}));
}
