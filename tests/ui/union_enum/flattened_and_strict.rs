//! A strict enum keeps no unknown fields.

use union_runtime::UnionEnum;

#[derive(UnionEnum)]
#[union(discriminator = "type", strict, flattened = "own_fields")]
enum Target {
    Text(String),
}

fn main() {}
