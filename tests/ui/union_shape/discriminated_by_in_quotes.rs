//! A member names its discriminator without quotes. The missing name causes no further error.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize, Deserialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(discriminator)]
    mode: Kind,
    #[union(member, discriminated_by = "kind")]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, discriminated_by = mode)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
