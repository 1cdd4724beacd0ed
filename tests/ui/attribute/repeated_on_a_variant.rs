//! An attribute stands once.

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
