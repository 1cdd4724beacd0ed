//! A member in a `Box` is still an `Option`.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

fn never(_: &u8) -> bool {
    false
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "never")]
    alpha: Box<u8>,
}

fn main() {}
