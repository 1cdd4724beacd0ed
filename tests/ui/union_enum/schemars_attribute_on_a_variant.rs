//! A variant has no attribute of schemars, because the derive generates the schema.

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
    #[schemars(rename = "S3")]
    Bucket(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
