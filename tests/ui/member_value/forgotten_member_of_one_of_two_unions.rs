//! A field that is in neither of two unions may be a forgotten member of one of them.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(EnumType, Serialize, Deserialize)]
enum Other {
    Alpha,
    Gamma,
}

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member, discriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(discriminator)]
    other: Other,
    #[union(member = "Alpha", discriminated_by = other)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    gamma: Option<u8>,
}

fn main() {}
