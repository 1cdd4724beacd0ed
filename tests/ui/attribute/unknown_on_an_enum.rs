//! The error for an unknown attribute lists the attributes of an enum.

use union_runtime::EnumType;

#[derive(EnumType)]
#[enum_type(open)]
enum Kind {
    Alpha,
}

fn main() {}
