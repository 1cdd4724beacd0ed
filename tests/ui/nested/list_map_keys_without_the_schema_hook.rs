//! A struct with `list_map_keys` and a schema needs the schema hook.

#![deny(deprecated)]

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize, JsonSchema)]
struct Volume {
    #[union(key)]
    name: String,
}

#[derive(Union, Serialize, JsonSchema)]
struct Pod {
    #[union(nested, list_map_keys("name"))]
    volumes: Vec<Volume>,
}

fn main() {}
