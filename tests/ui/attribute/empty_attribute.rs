//! An attribute without arguments is an error.

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
    #[union]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
