//! A variant has no named fields; its member is a struct of its own.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3 {
        bucket: String,
    },
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
