//! The attributes of a value belong on its variant.

use serde::{Deserialize, Serialize};
use union_runtime::EnumType;

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    #[serde(untagged)]
    Unknown(#[enum_type(other)] String),
}

#[derive(EnumType, Serialize, Deserialize)]
enum OtherDerive {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(#[union(open)] String),
}

fn main() {}
