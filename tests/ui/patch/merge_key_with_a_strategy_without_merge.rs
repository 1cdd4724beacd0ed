//! A merge key needs a strategy with `merge`; other lists are replaced.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "retainKeys", patch_merge_key = "name")]
    volumes: Vec<Volume>,
}

fn main() {}
