//! All mistakes in a union struct are reported in one run.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}
#[derive(Union, Serialize)]
#[union(enforced)]
struct Strategy {
    #[union(discriminator, optional)]
    kind: Kind,
    #[union(member)]
    alpha: Option<u8>,
    #[union(member = "", inherited)]
    #[serde(alias = "gamma", skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
