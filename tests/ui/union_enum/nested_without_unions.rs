//! A variant with `nested` has a member with unions.

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
    #[union(nested)]
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
