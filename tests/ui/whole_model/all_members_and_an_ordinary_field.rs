//! A struct with `all_members` has no field that cannot be a member.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize)]
#[union(all_members)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    name: String,
}

fn main() {}
