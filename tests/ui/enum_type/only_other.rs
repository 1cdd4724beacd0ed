//! An enum type has at least one known value.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

fn main() {}
