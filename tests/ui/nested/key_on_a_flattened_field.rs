//! A key is not flattened, because a flattened field has no JSON name.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Volume {
    #[union(key)]
    #[serde(flatten)]
    name: Option<String>,
}

fn main() {}
