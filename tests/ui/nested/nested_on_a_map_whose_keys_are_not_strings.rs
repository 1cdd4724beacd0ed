//! A map with `nested` has string keys, as JSON objects have.

use serde::Serialize;
use union_runtime::Union;

use std::collections::BTreeMap;

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
    sources: BTreeMap<u8, Source>,
}

fn main() {}
