//! A variant has no `not_member`; other fields belong into the parent.

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
    #[union(not_member)]
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
