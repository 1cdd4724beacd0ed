//! A stored string cannot be evaluated by a CEL rule.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", read_also = "external")]
enum Scale {
    Auto,
    Fixed(u32),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
