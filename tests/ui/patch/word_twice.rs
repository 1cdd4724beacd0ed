//! A patch strategy has each word once.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "merge,merge", patch_merge_key = "name")]
    volumes: Vec<Volume>,
}

fn main() {}
