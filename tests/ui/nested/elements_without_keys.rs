//! The elements of a list with `list_map_keys` have a key.

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
struct Pod {
    #[union(nested, list_map_keys("name"))]
    sources: Vec<Source>,
}

fn main() {}
