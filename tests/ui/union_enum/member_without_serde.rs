//! A member implements the traits of serde.

use union_runtime::{RawUnion, UnionEnum};

struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
