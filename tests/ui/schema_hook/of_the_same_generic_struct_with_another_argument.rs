//! The schema hook of a generic struct is for all arguments of the struct.

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, JsonSchema, Serialize)]
enum Kind {
    Alpha,
}

#[derive(JsonSchema, Union, Serialize)]
#[schemars(transform = union_runtime::add_unions::<Strategy<u8>>)]
struct Strategy<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
}

fn main() {}
