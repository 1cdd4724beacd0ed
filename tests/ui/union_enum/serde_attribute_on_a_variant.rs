//! Names are said to the derive; several attributes are one mistake.

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
