//! An attribute on the field of a variant is the only error of its enum.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3(String),
    Other(#[union(other)] RawUnion),
}

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum OtherDerive {
    None,
    S3(#[enum_type(other)] String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
