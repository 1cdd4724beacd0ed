//! A variant of an enum without a discriminator has no value.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(undiscriminated)]
enum Target {
    None,
    #[union(member = "S3")]
    Bucket(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
