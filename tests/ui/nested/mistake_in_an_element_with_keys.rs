//! A misspelt attribute in the element is not repeated where it is listed.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key, optionel)]
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested, list_map_keys("name"))]
    volumes: Vec<Volume>,
}

fn main() {}
