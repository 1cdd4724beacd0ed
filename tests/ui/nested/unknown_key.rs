//! The attribute `list_map_keys` names keys that the elements have.

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
    #[union(nested, list_map_keys("name", "protocol"))]
    volumes: Vec<Volume>,
}

fn main() {}
