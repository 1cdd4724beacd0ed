//! A map of unknown members has JSON values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
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
#[derive(Union, Serialize, Deserialize)]
struct Volume {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

fn main() {}
