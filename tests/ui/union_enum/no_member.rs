//! A union enum has at least one member; an enum of values is an enum type.

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
