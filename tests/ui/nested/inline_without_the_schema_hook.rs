//! A parent with `inline` and a schema needs the schema hook.

#![deny(deprecated)]

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize, JsonSchema)]
#[schemars(transform = union_runtime::add_unions::<Source>)]
struct Source {
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
}

#[derive(Union, Serialize, JsonSchema)]
struct Volume {
    #[union(inline)]
    #[serde(flatten)]
    source: Source,
}

fn main() {}
