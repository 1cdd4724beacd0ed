//! An enum without variants is no union.

use union_runtime::UnionEnum;

#[derive(UnionEnum)]
#[union(discriminator = "type", strict)]
enum Target {}

fn main() {}
