//! An `other` variant is untagged, because an unknown value is a plain string in JSON.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    Unknown(String),
}

fn main() {}
