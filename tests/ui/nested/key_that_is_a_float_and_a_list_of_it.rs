//! A mistake in the element is not repeated where it is listed.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    size: f32,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested, list_map_keys("size"))]
    volumes: Vec<Volume>,
}

fn main() {}
