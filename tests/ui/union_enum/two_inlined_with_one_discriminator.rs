//! Two flattened enums have different discriminators.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(Serialize, Deserialize)]
struct Path {
    path: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type", flattened = "own_fields")]
enum Source {
    None,
    HostPath(Path),
    #[union(other)]
    Other(RawUnion),
}
#[derive(UnionEnum)]
#[union(discriminator = "type", flattened = "own_fields")]
enum Access {
    Nobody,
    Owner(Path),
    #[union(other)]
    Other(RawUnion),
}
#[derive(Union, Serialize, Deserialize)]
struct Volume {
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(inline)]
    #[serde(flatten)]
    access: Access,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
