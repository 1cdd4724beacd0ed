//! An enum type with `other` and a schema needs the hook, or its schema allows any string.

#![deny(deprecated)]

use schemars::JsonSchema;
use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, JsonSchema, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

fn main() {}
