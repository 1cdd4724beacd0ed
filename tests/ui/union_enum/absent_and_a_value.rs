//! A variant with `absent` has no value.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    #[union(absent, member = "None")]
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
