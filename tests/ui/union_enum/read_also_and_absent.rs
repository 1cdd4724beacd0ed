//! An unknown variant in the old form has no discriminator.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", read_also = "external", enforce = "one_of")]
enum Scale {
    #[union(absent)]
    Auto,
    Fixed(u32),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
