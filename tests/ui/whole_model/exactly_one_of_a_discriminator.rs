//! The attribute `exactly_one` names a group, not a discriminator.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize)]
#[union(exactly_one(kind))]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = pair, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<u8>,
}

fn main() {}
