//! A patch strategy has no spaces, because Kubernetes does not trim its words.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "merge, retainKeys", patch_merge_key = "name")]
    volumes: Vec<Volume>,
}

fn main() {}
