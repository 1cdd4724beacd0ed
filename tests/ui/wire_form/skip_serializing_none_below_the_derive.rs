//! The macro `skip_serializing_none` is above the derive, which only sees earlier attributes.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize, Deserialize)]
#[skip_serializing_none]
struct Choice {
    #[union(discriminator)]
    kind: Option<Kind>,
    #[union(member)]
    alpha: Option<u8>,
    #[union(member)]
    beta: Option<u8>,
}

fn main() {}
