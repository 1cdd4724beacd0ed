//! A list of strings is not `nested`, because its elements have no unions.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested)]
    names: Option<Vec<String>>,
}

fn main() {}
