//! A variant has a single field.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3(String, String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
