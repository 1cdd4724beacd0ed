//! The type of a discriminator is not a type parameter.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(Union, Serialize)]
struct Strategy<K: EnumType> {
    #[union(discriminator)]
    kind: K,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
