//! A struct with `nested` derives `Union`.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Spec {
    replicas: u8,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested)]
    spec: Spec,
}

fn main() {}
