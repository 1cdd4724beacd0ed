//! An enum has at most one variant with `absent`.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    #[union(absent)]
    None,
    #[union(absent)]
    Nowhere,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
