//! An attribute that stands in the wrong place says which one is right.

use union_runtime::EnumType;

#[derive(EnumType)]
enum Kind {
    #[enum_type(schema = false)]
    Alpha,
}

fn main() {}
