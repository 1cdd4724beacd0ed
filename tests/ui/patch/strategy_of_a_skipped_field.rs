//! A skipped field has no patch strategy, because it is not in JSON.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "replace")]
    #[serde(skip)]
    volumes: Vec<Volume>,
}

fn main() {}
