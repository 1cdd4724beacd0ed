//! Every field of a struct with `all_members` is absent when it is unset.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(all_members)]
struct Strategy {
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    beta: Option<u8>,
}

fn main() {}
