//! The enum has a value for every field of a struct with `all_members`.

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
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
}

fn main() {}
