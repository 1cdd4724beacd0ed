//! The members have no error of their own, because their discriminator only lacks its attribute.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Handler {
    #[union(deduce)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    exec: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<String>,
}

fn main() {}
