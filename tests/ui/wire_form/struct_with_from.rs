//! A union is read as its own struct, not from another type.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Deserialize)]
struct Wire {
    kind: u8,
}

impl From<Wire> for Strategy {
    fn from(_: Wire) -> Self {
        unimplemented!()
    }
}

#[derive(Union, Serialize, Deserialize)]
#[serde(from = "Wire")]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
