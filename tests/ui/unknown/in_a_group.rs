//! A union with unknown members has a discriminator, whose value names the unknown member.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Source {
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
