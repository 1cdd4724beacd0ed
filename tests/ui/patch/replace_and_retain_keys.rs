//! Nothing is kept of what is replaced.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(patch_strategy = "replace,retainKeys")]
    volumes: Vec<Volume>,
}

fn main() {}
