//! A member of a union with `deduce` has no `optional`, because all its members may be unset.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Handler {
    #[union(discriminator, deduce)]
    #[serde(default)]
    kind: String,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    exec: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<u8>,
}

fn main() {}
