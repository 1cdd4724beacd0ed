//! An `other` variant contains a `RawUnion`; another type is a single error.

use serde::{Deserialize, Serialize};
use union_runtime::UnionEnum;

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3(S3),
    #[union(other)]
    Other(String),
}

fn main() {}
