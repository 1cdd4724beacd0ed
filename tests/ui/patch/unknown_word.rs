//! A patch strategy consists of known words.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "merge,retain")]
    volumes: Vec<Volume>,
}

fn main() {}
