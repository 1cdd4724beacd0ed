//! A map of unknown members follows the flattened enum, or both would have the enum's fields.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(Serialize, Deserialize)]
struct Path {
    path: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Source {
    None,
    HostPath(Path),
    #[union(other)]
    Other(RawUnion),
}
#[derive(Union, Serialize, Deserialize)]
struct Volume {
    name: String,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

fn main() {}
