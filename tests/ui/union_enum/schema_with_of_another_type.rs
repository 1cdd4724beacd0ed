//! The function of `schema_with` takes a generator and returns a schema.

use union_runtime::{RawUnion, UnionEnum};

fn any_json() -> bool {
    true
}

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Config {
    #[union(schema_with = any_json)]
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
