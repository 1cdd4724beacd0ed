//! A union has a single schema hook.

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, JsonSchema, Serialize)]
enum Kind {
    Alpha,
}

#[derive(JsonSchema, Union, Serialize)]
#[schemars(transform = union_runtime::add_unions::<Strategy>)]
#[schemars(transform = union_runtime::add_unions::<Strategy>)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
