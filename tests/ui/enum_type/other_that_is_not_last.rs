//! An `other` variant is the last variant, because serde requires untagged variants at the end.

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
