//! The attribute of schemars has no effect on a variant; the attribute of this derive has.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Config {
    #[schemars(schema_with = "any_json")]
    Text(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
