//! The enum is written as its variants, not as another type.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize, Clone)]
#[serde(into = "u8")]
enum Kind {
    Alpha,
}

impl From<Kind> for u8 {
    fn from(_: Kind) -> Self {
        0
    }
}

fn main() {}
