//! A union without a discriminator has no `shape`, because its shape is always 2019.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(shape = "2019")]
struct Strategy {
    #[union(member, group = pair, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
