//! The JSON object has the struct's own fields.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}
#[derive(Union, Serialize)]
#[serde(transparent)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
}

fn main() {}
