//! The attribute `ratchet` belongs on a struct with a union of its own.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

#[derive(Union, Serialize, Deserialize)]
#[union(ratchet = "same_reason")]
struct Parent {
    #[union(nested)]
    choice: Choice,
}

fn main() {}
