//! A union with `enforce = "one_of"` has no `ratchet`, because `oneOf` cannot see old objects.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize)]
#[union(enforce = "one_of", ratchet = "same_reason")]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
}

fn main() {}
