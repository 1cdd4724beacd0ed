//! The name of a member's field is not empty.

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
    #[union(field = "")]
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
