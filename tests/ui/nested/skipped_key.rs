//! A key is not skipped, because a skipped field is not in JSON.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    #[serde(skip)]
    name: String,
}

fn main() {}
