//! An enum type has at most one `other` variant.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
    #[enum_type(other)]
    #[serde(untagged)]
    Other(String),
}

fn main() {}
