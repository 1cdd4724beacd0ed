//! A union enum has no lifetime parameter, because it keeps objects that it cannot read.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target<'a> {
    None,
    S3(&'a S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
