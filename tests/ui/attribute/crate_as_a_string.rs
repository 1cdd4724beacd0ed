//! The path to the runtime crate is a path.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize)]
#[union(crate = "union_runtime")]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
