//! Every field of a struct with `all_members` is an `Option`.

use serde::Serialize;
use union_runtime::Union;

fn is_zero(number: &u8) -> bool {
    *number == 0
}

#[derive(Union, Serialize)]
#[union(all_members)]
struct Strategy {
    #[serde(skip_serializing_if = "is_zero")]
    kind: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
