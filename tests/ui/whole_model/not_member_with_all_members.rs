//! A struct with `all_members` has no field with `not_member`.

use serde::{Deserialize, Serialize};
use union_runtime::Union;

#[derive(Union, Serialize, Deserialize)]
#[union(all_members)]
struct Choice {
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(not_member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
