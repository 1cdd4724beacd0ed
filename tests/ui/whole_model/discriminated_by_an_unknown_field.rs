//! The attribute `discriminated_by` names a discriminator of the struct.

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
    #[union(discriminator)]
    mode: Kind,
    #[union(member, discriminated_by = mod)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, discriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
