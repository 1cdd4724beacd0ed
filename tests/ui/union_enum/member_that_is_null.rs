//! A member is not written as null, which means that the member is unset.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3(()),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
