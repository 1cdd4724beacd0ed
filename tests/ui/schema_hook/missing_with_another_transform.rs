//! A transform of the author does not replace the schema hook.

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, JsonSchema, Serialize)]
enum Kind {
    Alpha,
}

fn nothing(_: &mut schemars::Schema) {}

#[derive(JsonSchema, Union, Serialize)]
#[schemars(transform = nothing)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
