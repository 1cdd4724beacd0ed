//! The attribute `group` takes a name.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Strategy {
    #[union(member, group)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
