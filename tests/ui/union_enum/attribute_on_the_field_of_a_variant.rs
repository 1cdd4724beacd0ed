//! The attributes of a member belong on its variant.

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
    S3(#[union(field = "bucket")] S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
