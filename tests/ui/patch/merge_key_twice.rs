//! A field has a single merge key.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "merge", patch_merge_key = "name", patch_merge_key = "id")]
    volumes: Vec<Volume>,
}

fn main() {}
