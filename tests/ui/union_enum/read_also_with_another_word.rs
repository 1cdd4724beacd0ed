//! Only the external form can be read too.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", read_also = "adjacent")]
enum Scale {
    Auto,
    Fixed(u32),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
