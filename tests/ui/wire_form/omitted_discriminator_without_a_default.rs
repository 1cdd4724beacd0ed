//! A discriminator that may be left out has a default, unless it is an `Option`.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize, Default, PartialEq)]
enum Kind {
    #[default]
    Alpha,
    Beta,
}

fn is_alpha(kind: &Kind) -> bool {
    *kind == Kind::Alpha
}

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "is_alpha")]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[derive(Union, Serialize, Deserialize)]
struct WithDefault {
    #[union(discriminator)]
    #[serde(default, skip_serializing_if = "is_alpha")]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
