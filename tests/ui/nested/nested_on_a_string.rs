//! There is nothing to descend into.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested)]
    name: String,
}

fn main() {}
