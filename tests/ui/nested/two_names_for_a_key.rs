//! A key has the same name for reading and writing.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    #[serde(rename(serialize = "name", deserialize = "theName"))]
    name: String,
}

fn main() {}
