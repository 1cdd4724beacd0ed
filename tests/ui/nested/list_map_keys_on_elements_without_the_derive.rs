//! The elements of a list with `list_map_keys` derive `Union`.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Volume {
    name: String,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested, list_map_keys("name"))]
    volumes: Vec<Volume>,
}

fn main() {}
