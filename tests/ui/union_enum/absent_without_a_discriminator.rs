//! An enum without a discriminator has no `absent`; its unit variant already means no member.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(undiscriminated)]
enum Target {
    #[union(absent)]
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
