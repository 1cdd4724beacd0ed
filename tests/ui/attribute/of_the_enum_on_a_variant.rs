//! The error for an attribute of the enum on a variant names the right place.

use union_runtime::EnumType;

#[derive(EnumType)]
enum Kind {
    #[enum_type(schema = false)]
    Alpha,
}

fn main() {}
