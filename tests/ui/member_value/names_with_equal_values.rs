//! The names of two members do not match the same value.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    Alpha: Option<u8>,
}

fn main() {}
