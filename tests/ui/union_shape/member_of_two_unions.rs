//! A field is a member of only one union.

use serde::{Deserialize, Serialize};
use union_runtime::Union;

#[derive(Union, Serialize, Deserialize)]
struct Strategy {
    #[union(member, group = first)]
    #[union(member, group = second)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = first)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(member, group = second)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
}

fn main() {}
