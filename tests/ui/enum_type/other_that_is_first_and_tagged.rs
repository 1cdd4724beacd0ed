//! An `other` variant is last and untagged; violating both is two errors.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    #[enum_type(other)]
    Unknown(String),
    Alpha,
}

fn main() {}
