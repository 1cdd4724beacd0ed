//! An `other` variant is a plain text on the wire.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown {
        text: String,
    },
}

fn main() {}
