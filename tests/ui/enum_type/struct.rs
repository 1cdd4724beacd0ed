//! An enum type is an enum.

use union_runtime::EnumType;

#[derive(EnumType)]
struct Kind {
    alpha: bool,
}

fn main() {}
