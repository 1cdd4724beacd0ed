//! The type of a discriminator does not depend on a const parameter.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind<const N: usize> {
    Alpha,
}

#[derive(Union, Serialize)]
struct Strategy<const N: usize> {
    #[union(discriminator)]
    kind: Kind<N>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
