//! A schema has the unions that have no discriminator too.

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
