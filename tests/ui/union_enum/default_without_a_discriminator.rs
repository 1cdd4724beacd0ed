//! An enum without a discriminator has no `default` for an absent discriminator.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(undiscriminated)]
enum Target {
    None,
    #[union(default)]
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
