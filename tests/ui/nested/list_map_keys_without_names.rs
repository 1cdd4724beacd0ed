//! The attribute `list_map_keys` names at least one key.

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
    #[union(nested, list_map_keys)]
    volumes: Vec<Volume>,
}

fn main() {}
