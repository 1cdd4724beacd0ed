//! A union with `all_members` and unknown members has a discriminator.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(all_members)]
struct Source {
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
