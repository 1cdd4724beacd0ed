//! A patch strategy belongs on a field, not on the struct.

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
#[union(patch_strategy = "retainKeys")]
struct Pod {
    #[union(nested)]
    source: Source,
}

fn main() {}
