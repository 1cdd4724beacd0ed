//! The variant with `other` is not a member, so it has no schema.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Config {
    Text(String),
    #[union(other, preserve_unknown_fields)]
    Other(RawUnion),
}

fn main() {}
