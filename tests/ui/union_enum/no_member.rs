//! A union has members; an enum of values alone is an enum type.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    Nowhere,
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
