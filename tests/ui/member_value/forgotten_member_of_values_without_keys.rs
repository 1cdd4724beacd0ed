//! A forgotten member is found even if two values differ only in case.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    #[serde(rename = "alpha")]
    Alpha,
    #[serde(rename = "ALPHA")]
    Alpha2,
    Beta,
}

#[derive(Union, Serialize, Deserialize)]
struct Choice<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member = "alpha")]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
    beta: Option<T>,
}

fn main() {}
