//! A key has the same name in the schema as in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::Union;

#[derive(Union, Serialize, Deserialize, JsonSchema)]
struct Volume {
    #[union(key)]
    #[schemars(rename = "id")]
    name: String,
    #[union(nested)]
    #[schemars(rename = "parts")]
    volumes: Vec<Volume>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Pod>)]
struct Pod {
    #[union(nested, list_map_keys("name"))]
    #[schemars(rename = "disks")]
    volumes: Vec<Volume>,
    #[union(patch_strategy = "replace")]
    #[schemars(rename = "kept", skip_serializing)]
    replaced: Volume,
}

fn main() {}
