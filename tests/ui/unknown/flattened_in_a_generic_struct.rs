//! A generic parent is checked if its flattened structs do not depend on a parameter.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Union, Serialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Union, Serialize)]
struct Parent<T> {
    #[union(inline)]
    #[serde(flatten)]
    choice: Choice,
    #[serde(flatten)]
    other: T,
}

fn main() {}
