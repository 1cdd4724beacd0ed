//! A union is not transparent, because its JSON object has the fields of the struct.

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
