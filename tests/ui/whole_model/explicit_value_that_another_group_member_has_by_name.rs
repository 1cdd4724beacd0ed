//! A value that one member of a group has by its name is not explicit for another member.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Strategy {
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member = "Alpha", group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
