//! An enum type has values that are known.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

fn main() {}
