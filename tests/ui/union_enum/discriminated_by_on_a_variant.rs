//! A variant has no `discriminated_by`, because an enum has one discriminator.

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
    #[union(discriminated_by = kind)]
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
