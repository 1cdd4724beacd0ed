//! An attribute is not repeated on a variant.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(other, other)]
    #[serde(untagged)]
    Unknown(String),
}

fn main() {}
