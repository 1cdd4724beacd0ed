//! Attributes are names in parentheses.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
    Gamma,
}

#[derive(Union, Serialize, Deserialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union = "member"]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
    #[union("member")]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
}

fn main() {}
