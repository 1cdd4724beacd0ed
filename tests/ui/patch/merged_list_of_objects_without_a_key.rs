//! A list of objects with the strategy `merge` has a merge key.

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
