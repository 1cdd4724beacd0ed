//! An attribute that stands in the wrong place says which one is right.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize)]
#[union(discriminator)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
