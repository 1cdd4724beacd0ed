//! A variant's attributes are a short list.

use union_runtime::EnumType;

#[derive(EnumType)]
enum Kind {
    #[enum_type(rename = "ALPHA")]
    Alpha,
}

fn main() {}
