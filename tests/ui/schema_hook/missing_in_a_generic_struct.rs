//! A generic union with an attribute of schemars has a schema, and needs the schema hook.

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, JsonSchema, Serialize)]
enum Kind {
    Alpha,
}

#[derive(JsonSchema, Union, Serialize)]
#[schemars(rename = "Strategy{T}")]
struct Strategy<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
}

fn main() {}
