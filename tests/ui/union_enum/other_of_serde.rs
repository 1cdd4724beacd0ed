//! serde's `other` would lose the object.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    S3(String),
    #[serde(other)]
    Other(RawUnion),
}

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum WithoutData {
    S3(String),
    #[serde(other)]
    Other,
}

fn main() {}
