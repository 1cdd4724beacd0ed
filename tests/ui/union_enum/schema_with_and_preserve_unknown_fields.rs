//! The function of `schema_with` returns the whole schema.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Config {
    #[union(schema_with = any_json, preserve_unknown_fields)]
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
