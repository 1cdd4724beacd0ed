//! An `other` variant contains a string.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(u8),
}

fn main() {}
