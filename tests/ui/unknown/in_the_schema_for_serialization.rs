//! The schema for serialization skips the map of unknown members, too.

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
#[schemars(transform = union_runtime::add_unions::<Choice>)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(unknown)]
    #[serde(flatten)]
    #[schemars(skip_deserializing)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
