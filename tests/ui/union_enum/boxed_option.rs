//! A member that may be unset is an `Option` of a `Box`, not a `Box` of an `Option`.

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
    S3(Box<Option<S3>>),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
