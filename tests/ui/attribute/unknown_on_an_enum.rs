//! An enum's attributes are a short list.

use union_runtime::EnumType;

#[derive(EnumType)]
#[enum_type(open)]
enum Kind {
    Alpha,
}

fn main() {}
