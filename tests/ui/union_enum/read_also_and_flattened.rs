//! A flattened enum cannot be a string.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", read_also = "external", enforce = "one_of", flattened = "own_fields")]
enum Scale {
    Auto,
    Fixed(u32),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
