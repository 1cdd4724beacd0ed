//! An `other` variant contains the string that was read.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    Unknown,
}

fn main() {}
