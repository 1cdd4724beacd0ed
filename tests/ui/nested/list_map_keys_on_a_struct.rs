//! A struct is not a list.

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
    #[union(nested, list_map_keys("name"))]
    volume: Volume,
}

fn main() {}
