//! Two variants have different values.

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
    A(S3),
    #[union(member = "A")]
    B(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
