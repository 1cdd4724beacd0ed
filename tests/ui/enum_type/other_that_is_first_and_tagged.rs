//! Two mistakes: serde reads an unknown value last, and as a plain text.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    #[enum_type(other)]
    Unknown(String),
    Alpha,
}

fn main() {}
