//! The name of serde's `tag` is not the name of a flattened enum's field.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "kind", flattened = "all_fields")]
enum Source {
    HostPath(String),
    #[union(other)]
    Other(RawUnion),
}
#[derive(Union, Serialize, Deserialize)]
#[serde(tag = "kind")]
struct Volume {
    name: String,
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

fn main() {}
