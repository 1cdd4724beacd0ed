//! A union enum has at least one variant.

use union_runtime::UnionEnum;

#[derive(UnionEnum)]
#[union(discriminator = "type", strict)]
enum Target {}

fn main() {}
