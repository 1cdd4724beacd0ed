//! Where there are several groups, "exactly one" says which.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(exactly_one)]
struct Strategy {
    #[union(member, group = pair, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = other, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
