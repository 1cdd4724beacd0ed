//! An unknown variant in the old form has no discriminator.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", read_also = "external", enforce = "one_of")]
enum Scale {
    Auto,
    #[union(default)]
    Fixed(Option<u32>),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
