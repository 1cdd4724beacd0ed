//! There is nothing in the list to descend into.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Pod {
    #[union(nested)]
    names: Option<Vec<String>>,
}

fn main() {}
