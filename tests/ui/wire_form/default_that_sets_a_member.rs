//! The default of a member is unset, or a cleared member would return when it is read.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

fn one() -> Option<u8> {
    Some(1)
}

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(default = "one", skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
