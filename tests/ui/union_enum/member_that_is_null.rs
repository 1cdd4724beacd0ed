//! A set member is not null.

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
