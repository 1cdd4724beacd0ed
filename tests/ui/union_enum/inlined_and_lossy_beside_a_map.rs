//! A flattened enum beside a map of unknown members is not `lossy`.

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
    #[union(inline(lossy))]
    #[serde(flatten)]
    source: Source,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
