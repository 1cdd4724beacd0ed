//! A flattened field has no name of its own.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    #[serde(flatten)]
    name: Option<String>,
}

fn main() {}
