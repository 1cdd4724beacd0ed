//! The function of `schema_with` is a path, not a string.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Config {
    #[union(schema_with = "any_json")]
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
