//! An absent discriminator stands for a value, or for none.

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
    #[union(default)]
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
