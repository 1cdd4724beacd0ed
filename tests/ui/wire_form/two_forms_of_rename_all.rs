//! Reading and writing use the same rule for the names of fields.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize)]
#[serde(rename_all(serialize = "camelCase", deserialize = "kebab-case"))]
struct Strategy {
    #[union(discriminator)]
    the_kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
