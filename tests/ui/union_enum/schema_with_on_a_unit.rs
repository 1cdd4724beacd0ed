//! A unit variant has no schema of its own.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Config {
    #[union(schema_with = any_json)]
    Nothing,
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
