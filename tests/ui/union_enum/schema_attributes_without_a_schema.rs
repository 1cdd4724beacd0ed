//! An enum with `schema = false` has no schema that an attribute could change.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum Config {
    #[union(schema_with = any_json)]
    Text(String),
    #[union(preserve_unknown_fields)]
    Raw(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
