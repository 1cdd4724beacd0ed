//! A member without a discriminator has no `optional`, because it may always be unset.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(all_members)]
struct Strategy {
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
