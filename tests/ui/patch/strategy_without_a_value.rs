//! The attribute `patch_strategy` takes a value.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy)]
    volumes: Vec<Volume>,
}

fn main() {}
