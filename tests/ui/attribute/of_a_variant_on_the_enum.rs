//! An attribute that stands in the wrong place says which one is right.

use union_runtime::EnumType;

#[derive(EnumType)]
#[enum_type(other)]
enum Kind {
    Alpha,
}

fn main() {}
