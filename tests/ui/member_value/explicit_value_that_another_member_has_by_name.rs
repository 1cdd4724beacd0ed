//! A value that one member has by its name is not the explicit value of another member.

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
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member = "Alpha")]
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u8>,
}

fn main() {}
