//! The attribute `exactly_one` names a group if there are several groups.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(exactly_one)]
struct Strategy {
    #[union(member, group = pair, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = other, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
