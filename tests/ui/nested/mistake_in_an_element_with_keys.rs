//! A misspelt attribute in an element is not reported again for a list of the elements.

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
