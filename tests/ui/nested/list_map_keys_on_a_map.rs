//! A map has no `list_map_keys`, because its entries already have keys.

use serde::Serialize;
use union_runtime::Union;

use std::collections::BTreeMap;

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
    volumes: BTreeMap<String, Volume>,
}

fn main() {}
