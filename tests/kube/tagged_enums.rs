//! Why a union is a struct: kube cannot put a tagged Rust enum into a CRD (kube-rs/kube#1279).

use std::panic;

use kube::{CustomResource, CustomResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[serde(tag = "type")]
enum Tagged {
    Alpha { alpha: i32 },
    Beta { beta: i32 },
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Thing", namespaced)]
struct ThingSpec {
    tagged: Tagged,
}

#[test]
fn an_internally_tagged_enum_has_no_crd() {
    let crd = panic::catch_unwind(Thing::crd);
    let message = crd.map_err(|panic| panic.downcast::<String>().unwrap_or_default());
    let message = message.err().unwrap_or_default();
    assert!(
        message.contains("must be identical"),
        "kube makes a CRD of it now; tell the README: {message}"
    );
}
