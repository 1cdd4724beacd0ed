//! A mistake in the derive's input adds no errors where its methods are used.

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
