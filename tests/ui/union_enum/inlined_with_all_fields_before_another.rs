//! An enum that reads all fields would also read the fields of a later flattened enum.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", flattened = "all_fields")]
enum Source {
    HostPath(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum)]
#[union(undiscriminated, flattened = "all_fields")]
enum Access {
    Owner(String),
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
}

fn main() {}
