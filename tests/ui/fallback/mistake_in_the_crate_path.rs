//! The code that is generated after a mistake uses the default path of the runtime crate.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}
#[derive(Union, Serialize)]
#[union(crate = 5)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {
    let _ = Strategy {
        kind: Kind::Alpha,
        alpha: None,
    }
    .validate_unions();
}
