//! All mistakes are reported in one run, including those that depend on types.

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
    #[serde(skip_serializing_if = "String::is_empty")]
    alpha: String,
    #[union(member)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beta: Vec<u8>,
}

fn main() {}
