//! The union of a struct with `all_members` has no group name.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(all_members, exactly_one(strategy))]
struct Strategy {
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
