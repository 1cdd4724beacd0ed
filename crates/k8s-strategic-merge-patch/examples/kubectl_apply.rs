//! Applies a Deployment as `kubectl apply` does: the patch is created from the state that was
//! applied last, the state to apply now, and the live object.
//!
//! `cargo run -p k8s-strategic-merge-patch --example kubectl_apply`

use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchSchema};
use serde_json::{Value, json};

/// Returns the part of an API server's `OpenAPI` document about Deployments that this example
/// needs.
fn openapi() -> Value {
    json!({"definitions": {
        "io.k8s.api.apps.v1.Deployment": {"type": "object", "properties": {
            "spec": {"$ref": "#/definitions/io.k8s.api.apps.v1.DeploymentSpec"},
        }},
        "io.k8s.api.apps.v1.DeploymentSpec": {"type": "object", "properties": {
            "replicas": {"type": "integer"},
            "strategy": {
                "$ref": "#/definitions/io.k8s.api.apps.v1.DeploymentStrategy",
                "x-kubernetes-patch-strategy": "retainKeys",
            },
            "template": {"$ref": "#/definitions/io.k8s.api.core.v1.PodTemplateSpec"},
        }},
        "io.k8s.api.apps.v1.DeploymentStrategy": {"type": "object", "properties": {
            "type": {"type": "string"},
            "rollingUpdate": {"type": "object", "properties": {"maxSurge": {"type": "integer"}}},
        }},
        "io.k8s.api.core.v1.PodTemplateSpec": {"type": "object", "properties": {
            "spec": {"$ref": "#/definitions/io.k8s.api.core.v1.PodSpec"},
        }},
        "io.k8s.api.core.v1.PodSpec": {"type": "object", "properties": {"containers": {
            "type": "array",
            "items": {"$ref": "#/definitions/io.k8s.api.core.v1.Container"},
            "x-kubernetes-patch-strategy": "merge",
            "x-kubernetes-patch-merge-key": "name",
        }}},
        "io.k8s.api.core.v1.Container": {"type": "object", "properties": {
            "name": {"type": "string"},
            "image": {"type": "string"},
        }},
    }})
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = PatchSchema::compiler().openapi(&openapi(), "io.k8s.api.apps.v1.Deployment")?;

    let applied = json!({"spec": {
        "replicas": 1,
        "strategy": {"type": "RollingUpdate"},
        "template": {"spec": {"containers": [{"name": "web", "image": "web:1"}]}},
    }});
    let wanted = json!({"spec": {
        "replicas": 2,
        "strategy": {"type": "Recreate"},
        "template": {"spec": {"containers": [{"name": "web", "image": "web:2"}]}},
    }});
    // The server filled in `rollingUpdate`, another controller added a container, and somebody
    // scaled the Deployment.
    let live = json!({"spec": {
        "replicas": 5,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
        "template": {"spec": {"containers": [
            {"name": "web", "image": "web:1"},
            {"name": "proxy", "image": "proxy:7"},
        ]}},
    }});

    let Err(DiffError::Conflict(conflicts)) =
        schema.three_way(&applied, &wanted, &live, OnConflict::Fail)
    else {
        return Err("both changed the replicas".into());
    };
    println!("Without `overwrite`, a conflict:\n{conflicts}\n");

    let patch = schema.three_way(&applied, &wanted, &live, OnConflict::Overwrite)?;
    println!("With `overwrite`, a patch:\n{patch:#}\n");

    let applied = schema.apply(live, &patch)?;
    println!("The object after it, without `rollingUpdate` and with both containers:\n{applied:#}");
    assert_eq!(applied["spec"]["strategy"], json!({"type": "Recreate"}));
    let containers = &applied["spec"]["template"]["spec"]["containers"];
    assert_eq!(containers[1]["name"], "proxy");
    Ok(())
}
