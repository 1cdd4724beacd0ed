//! A key in `list_map_keys` has the attribute `key` in the struct of the elements.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    name: String,
    port: u16,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested, list_map_keys("port"))]
    volumes: Vec<Volume>,
}

fn main() {}
