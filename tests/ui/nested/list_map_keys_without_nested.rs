//! A field with `list_map_keys` is `nested`, too.

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
    #[union(list_map_keys("name"))]
    volumes: Vec<Volume>,
}

fn main() {}
