//! schemars makes "any text" of an `other` variant; the values are lost.

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
