//! A field has a single patch strategy.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "merge", patch_strategy = "replace", patch_merge_key = "name")]
    volumes: Vec<Volume>,
}

fn main() {}
