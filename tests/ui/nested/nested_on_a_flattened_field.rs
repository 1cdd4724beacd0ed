//! A flattened struct is `inline`, not `nested`.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Source {
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
}

#[derive(Union, Serialize)]
struct Volume {
    #[union(nested)]
    #[serde(flatten)]
    source: Source,
}

fn main() {}
