//! serde tries untagged variants after the others, and wants them there.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
    Alpha,
}

fn main() {}
