//! A merge key is a JSON name in quotes, not an identifier.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "merge", patch_merge_key = name)]
    volumes: Vec<Volume>,
}

fn main() {}
