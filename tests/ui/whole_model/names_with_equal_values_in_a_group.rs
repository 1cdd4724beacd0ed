//! Two names of members do not differ only by an underscore, or they give the same value.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Strategy {
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a1: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a_1: Option<u8>,
}

fn main() {}
