//! A union does not take the schema of another type, because schemars would call no hook.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(with = "String", transform = union_runtime::add_unions::<Choice>)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
