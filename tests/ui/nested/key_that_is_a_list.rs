//! An API server takes no list for a key.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    name: Vec<String>,
}

fn main() {}
