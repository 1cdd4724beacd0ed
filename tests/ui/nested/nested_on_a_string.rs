//! A string is not `nested`, because it has no unions.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested)]
    name: String,
}

fn main() {}
