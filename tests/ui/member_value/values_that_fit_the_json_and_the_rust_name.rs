//! The JSON name and the Rust name of a member match the same value.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(rename = "Beta", skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
