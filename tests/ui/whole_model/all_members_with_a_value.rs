//! The attribute `all_members` does not take a value.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(all_members = true)]
struct Strategy {
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
