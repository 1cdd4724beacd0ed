//! The attribute `deduce` is for discriminators, not for members.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator, deduce)]
    kind: String,
    #[union(member, deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
