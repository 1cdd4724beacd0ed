//! The keyword belongs to a member.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", preserve_unknown_fields)]
enum Config {
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
