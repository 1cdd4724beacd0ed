//! An enum without variants is not a union.

use union_runtime::UnionEnum;

#[derive(UnionEnum)]
#[union(discriminator = "type", strict)]
enum Target {}

fn main() {}
