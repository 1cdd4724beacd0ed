//! An enum type has values.

use union_runtime::EnumType;

#[derive(EnumType)]
enum Kind {}

fn main() {}
