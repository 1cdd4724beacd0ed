//! The field of a variant has no attributes of serde.

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
    S3(#[serde(with = "s3")] S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
