//! A struct with `inline` derives `Union`.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Spec {
    replicas: u8,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(inline)]
    #[serde(flatten)]
    spec: Spec,
}

fn main() {}
