//! The attribute `enforce` belongs on the struct.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize)]
#[union(schema = false)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member, enforce = "one_of")]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

fn main() {}
