//! A variant with the value `""` is a unit variant, because `""` selects no member.

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
    #[union(member = "")]
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
