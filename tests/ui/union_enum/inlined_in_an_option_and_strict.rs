//! A strict flattened enum is not in an `Option`, which would hide its errors.

use serde::{Deserialize, Serialize};
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
#[derive(UnionEnum)]
#[union(discriminator = "type", strict)]
enum Strict {
    None,
    HostPath(Path),
}
#[derive(Union, Serialize, Deserialize)]
struct Volume {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Option<Box<Strict>>,
}

fn main() {}
