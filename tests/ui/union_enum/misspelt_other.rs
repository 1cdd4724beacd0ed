//! A misspelt `other` is a single error, and the variant does not count as a member.

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
