//! Elements are told apart by a key.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "merge")]
    volumes: Vec<Volume>,
}

fn main() {}
