//! A union with a const parameter and an attribute of schemars needs the schema hook.

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, JsonSchema, Serialize)]
enum Kind {
    Alpha,
}

#[derive(JsonSchema, Union, Serialize)]
#[schemars(rename = "Strategy{N}")]
struct Strategy<const N: usize> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
