//! A field with `nested` has the same name for reading and writing.

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
    #[serde(rename(serialize = "spec", deserialize = "theSpec"))]
    spec: Source,
}

fn main() {}
