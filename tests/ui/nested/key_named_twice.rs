//! The attribute `list_map_keys` names each key once.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    name: String,
    #[union(key)]
    port: u16,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested, list_map_keys("name", "name"))]
    volumes: Vec<Volume>,
}

fn main() {}
