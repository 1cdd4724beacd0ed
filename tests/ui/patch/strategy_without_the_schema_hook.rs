//! A struct with a patch strategy and a schema needs the schema hook.

#![deny(deprecated)]

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize, JsonSchema)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize, JsonSchema)]
struct Pod {
    #[union(patch_strategy = "merge", patch_merge_key = "name")]
    volumes: Vec<Volume>,
}

fn main() {}
