//! A struct with `all_members` has no flattened field.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Rest {}

#[derive(Union, Serialize)]
#[union(all_members)]
struct Strategy {
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[serde(flatten)]
    rest: Option<Rest>,
}

fn main() {}
