//! A flattened parent with a map keeps all fields, so its own parent flattens no other map.

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
#[derive(Union, Serialize, Deserialize)]
struct Volume {
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}
#[derive(Serialize, Deserialize)]
struct Labels {
    app: String,
}
#[derive(Union, Serialize, Deserialize)]
struct Pod {
    #[union(inline)]
    #[serde(flatten)]
    volume: Volume,
    #[serde(flatten)]
    labels: Labels,
}

fn main() {}
