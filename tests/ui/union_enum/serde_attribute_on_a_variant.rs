//! A variant has no attributes of serde; several of them are a single error.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    #[serde(rename = "S3")]
    #[serde(alias = "s3")]
    Bucket(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
