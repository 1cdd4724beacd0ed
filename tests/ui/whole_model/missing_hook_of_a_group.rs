//! A union without a discriminator and with a schema needs the schema hook, too.

#![deny(deprecated)]

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize, JsonSchema)]
struct Strategy {
    #[union(member, group = pair, alone)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
