//! A member is not an `Option` of an `Option`, which could be written as null.

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
    S3(Option<Option<S3>>),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
