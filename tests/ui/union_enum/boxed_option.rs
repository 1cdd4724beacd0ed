//! That a member may be unset is seen by the `Option` that is written.

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
