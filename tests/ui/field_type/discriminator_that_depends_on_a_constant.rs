//! The values are known where the struct is declared.

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
