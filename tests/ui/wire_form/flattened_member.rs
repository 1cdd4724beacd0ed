//! A member is not flattened, because it has a JSON name.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Serialize)]
struct Alpha {
    size: u8,
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(flatten)]
    alpha: Option<Alpha>,
}

fn main() {}
