//! Tests of a migration from an externally tagged enum: an API server keeps stored objects in the
//! old form, and accepts the new form.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct Step {
    at: u32,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
struct Custom {
    steps: Vec<Step>,
}

#[derive(UnionEnum, Clone, Debug)]
#[union(discriminator = "type", read_also = "external", enforce = "one_of")]
enum Scale {
    Auto,
    Fixed(u32),
    Custom(Custom),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, KubeSchema)]
#[kube(group = "example.com", version = "v1", kind = "Job", namespaced)]
#[kube(derive = "Union", attr = "union(nested(spec))")]
struct JobSpec {
    #[serde(default)]
    paused: bool,
    #[union(nested)]
    scale: Scale,
}

fn job(scale: &Value, paused: bool) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Job",
        "metadata": {"name": "j", "resourceVersion": "1"},
        "spec": {"paused": paused, "scale": scale},
    })
}

#[test]
fn a_server_keeps_the_old_form_and_accepts_the_new_one() {
    let crd = serde_json::to_value(Job::crd()).expect("a CRD is JSON");
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let server = StructuralSchema::compile(schema).unwrap_or_else(|errors| panic!("{errors}"));
    let settings = ServerSettings::default();
    let rows = [
        (json!("Auto"), json!({"type": "Auto"})),
        (json!({"Fixed": 3}), json!({"type": "Fixed", "fixed": 3})),
        (json!({"fixed": 3}), json!({"type": "Fixed", "fixed": 3})),
        (
            json!({"Custom": {"steps": [{"at": 1}]}}),
            json!({"type": "Custom", "custom": {"steps": [{"at": 1}]}}),
        ),
    ];
    for (stored, new_form) in rows {
        let old = job(&stored, false);
        // Another client changes another field.
        let mut new = job(&stored, true);
        let report = server.update(&mut new, &old, &settings);
        assert!(report.is_accepted(), "{stored}: {report}");
        assert_eq!(new["spec"]["scale"], stored, "nothing is pruned");
        // A typed client writes the new form.
        let typed: Job = serde_json::from_value(old.clone()).expect("a readable object");
        let mut new = serde_json::to_value(&typed).expect("JSON");
        assert_eq!(new["spec"]["scale"], new_form);
        let report = server.update(&mut new, &old, &settings);
        assert!(report.is_accepted(), "{stored}: {report}");
        assert_eq!(new["spec"]["scale"], new_form);
        // A new object must have the new form.
        assert!(
            !server
                .create(&mut job(&stored, false), &settings)
                .is_accepted()
        );
        assert!(
            server
                .create(&mut job(&new_form, false), &settings)
                .is_accepted()
        );
    }
    // An unknown variant is kept too. A server never counts an object with unknown fields as
    // unchanged, so it requires the discriminator.
    for (stored, errors) in [
        (json!("Turbo"), ""),
        (
            json!({"Turbo": {"a": 1}}),
            "spec.scale.type: Required value",
        ),
    ] {
        let old = job(&stored, false);
        let mut typed: Job = serde_json::from_value(old.clone()).expect("a readable object");
        typed.spec.paused = true;
        let mut new = serde_json::to_value(&typed).expect("JSON");
        let report = server.update(&mut new, &old, &settings);
        assert_eq!(report.to_string(), errors, "{stored}");
        assert_eq!(new["spec"]["scale"], stored);
    }
}
