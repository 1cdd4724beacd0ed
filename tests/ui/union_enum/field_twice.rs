//! Two members have different fields.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    A(S3),
    #[union(field = "a")]
    B(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
