//! All missing attributes are reported in one run: schema hooks and attributes of serde.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Alpha,
    Beta,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    alpha: Option<u8>,
    #[union(member)]
    beta: Option<u8>,
}

fn main() {}
