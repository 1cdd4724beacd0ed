//! An API server takes no object for a key.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Inner {
    name: String,
}

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    name: Inner,
}

fn main() {}
