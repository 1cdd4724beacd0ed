//! All mistakes are reported in one run, those that the enum's values show too.

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
    #[union(member = "Gamma")]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<u8>,
}

fn main() {}
