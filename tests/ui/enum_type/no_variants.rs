//! An enum type has at least one value.

use union_runtime::EnumType;

#[derive(EnumType)]
enum Kind {}

fn main() {}
