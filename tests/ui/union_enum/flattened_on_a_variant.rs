//! `flattened` is for the enum.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    #[union(flattened = "own_fields")]
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
