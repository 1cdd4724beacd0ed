//! The macro `skip_serializing_none` is above the derive, for a discriminator, too.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize)]
#[serde_with::skip_serializing_none]
struct Choice {
    #[union(discriminator)]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
