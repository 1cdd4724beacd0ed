//! `""` is read as absent, so `absent` beside it is a second variant for the same object.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    #[union(absent)]
    None,
    #[union(member = "")]
    Nowhere,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
