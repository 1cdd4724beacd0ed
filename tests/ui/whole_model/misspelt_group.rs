//! A group with a single member is an error, because the name is probably misspelt.

use serde::{Deserialize, Serialize};
use union_runtime::Union;

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(member, group = soruce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
}

fn main() {}
