//! The error for an unknown attribute lists the attributes of a variant.

use union_runtime::EnumType;

#[derive(EnumType)]
enum Kind {
    #[enum_type(rename = "ALPHA")]
    Alpha,
}

fn main() {}
