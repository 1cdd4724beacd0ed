//! Writes the CRD for the cluster, the full CRD for tools, an `OpenAPI` document and two samples.
//! The build fails if an API server would reject the CRD or the valid sample, or accept the invalid
//! sample.

use serde_json::{Value, json};
use union_build_time_api::Document;
use union_kube::Crd;
use union_kube::build::Output;

fn main() {
    Output::in_out_dir()
        .print("yaml", serde_saphyr::to_string)
        .crd(Crd::from_type::<Document>())
        .openapi("documents", "v1")
        .accepted_sample("valid", document("guide", &json!({"audience": "Public"})))
        .rejected_sample(
            "invalid",
            document("draft", &json!({"audience": "Public", "users": ["ann"]})),
        )
        .finish();
}

fn document(name: &str, access: &Value) -> Value {
    json!({
        "apiVersion": "docs.example.com/v1",
        "kind": "Document",
        "metadata": {"name": name},
        "spec": {"text": "How to.", "access": access},
    })
}
