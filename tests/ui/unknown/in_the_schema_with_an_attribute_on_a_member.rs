//! An attribute of schemars on a member shows that the struct has a schema.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, JsonSchema)]
#[schemars(transform = union_runtime::add_enum::<Kind>)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Union, Serialize, JsonSchema)]
#[union(schema = false)]
struct Choice<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[schemars(title = "The first")]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
