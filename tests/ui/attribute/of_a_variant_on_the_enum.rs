//! The error for an attribute of a variant on the enum names the right place.

use union_runtime::EnumType;

#[derive(EnumType)]
#[enum_type(other)]
enum Kind {
    Alpha,
}

fn main() {}
