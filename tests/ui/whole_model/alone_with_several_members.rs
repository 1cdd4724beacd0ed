//! A group with several members has no `alone`.

use serde::{Deserialize, Serialize};
use union_runtime::Union;

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(member, group = source, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
