//! What was to be `other` is misspelt, and no member either.

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
    S3(S3),
    #[union(othr)]
    Other(RawUnion),
}

fn main() {}
