//! A flattened struct is not a list, so it has no `list_map_keys`.

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
    #[union(inline, list_map_keys("name"))]
    #[serde(flatten)]
    source: Source,
}

fn main() {}
