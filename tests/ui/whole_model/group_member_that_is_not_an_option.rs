//! A member of a group is an `Option`.

use serde::Serialize;
use union_runtime::Union;

fn is_zero(number: &u8) -> bool {
    *number == 0
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "is_zero")]
    beta: u8,
}

fn main() {}
