//! A map of unknown members is beside a union.

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
struct Plain {
    #[union(nested)]
    sources: Vec<Source>,
}
#[derive(Union, Serialize, Deserialize)]
struct Volume {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    plain: Plain,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
