//! The attribute `exactly_one` names a group by an identifier, not by a string.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(exactly_one("pair"))]
struct Strategy {
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
