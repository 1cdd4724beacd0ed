//! The attribute `enforce` has three possible values.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize)]
#[union(enforce = "oneOf")]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

fn main() {}
