//! Two members of a group do not have the same explicit value.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Strategy {
    #[union(member = "A", group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member = "A", group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
