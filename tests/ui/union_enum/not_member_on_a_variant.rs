//! What stands beside a union is in the parent.

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
