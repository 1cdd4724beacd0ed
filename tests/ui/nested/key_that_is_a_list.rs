//! A key is not a list, which API servers do not accept.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    name: Vec<String>,
}

fn main() {}
