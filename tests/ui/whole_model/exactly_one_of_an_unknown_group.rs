//! The attribute `exactly_one` names a group of the struct.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(exactly_one(pears))]
struct Strategy {
    #[union(member, group = pair, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
