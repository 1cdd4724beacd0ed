//! A comma separates attributes.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize, Deserialize)]
struct Strategy {
    #[union(discriminator deduce)]
    kind: Kind,
    #[union(member optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member; optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

#[derive(UnionEnum)]
#[union(discriminator = "type" strict)]
enum Target {
    #[union(nested open)]
    S3(String),
}

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Kept {
    S3(String),
    #[union(other default)]
    Other(RawUnion),
}

fn main() {}
