//! A unit variant has no schema that could keep unknown fields.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Config {
    #[union(preserve_unknown_fields)]
    Nothing,
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
