//! `flattened` takes one of two words.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", flattened = "own")]
enum Target {
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
