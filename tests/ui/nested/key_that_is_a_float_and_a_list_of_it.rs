//! A mistake in an element is not reported again for a list of the elements.

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
