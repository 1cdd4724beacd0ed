//! A variant has no `optional`; a member that may be unset is an `Option`.

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
    #[union(optional)]
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
