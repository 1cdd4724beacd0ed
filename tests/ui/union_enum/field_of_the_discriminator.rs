//! A member does not have the field of the discriminator.

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
    Type(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
