//! A key is not a struct, which API servers do not accept.

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
