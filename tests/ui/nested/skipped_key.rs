//! What is not in JSON is not a key there.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    #[serde(skip)]
    name: String,
}

fn main() {}
