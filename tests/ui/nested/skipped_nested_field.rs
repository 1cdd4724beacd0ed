//! A field with `nested` is not skipped, because a skipped field has no path in JSON.

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
    #[union(nested)]
    #[serde(skip)]
    spec: Source,
}

fn main() {}
