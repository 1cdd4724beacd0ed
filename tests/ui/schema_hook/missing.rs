//! A union with a schema needs the schema hook.

#![deny(deprecated)]

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, JsonSchema, Serialize)]
enum Kind {
    Alpha,
}

#[derive(JsonSchema, Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
