//! A mistake in an enum type adds no errors in code that calls its methods.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(others)]
    #[serde(untagged)]
    Unknown(String),
}

fn main() {
    let _ = Kind::VALUES;
    let _ = Kind::Alpha.as_str();
    let _ = Kind::Alpha.value();
}
