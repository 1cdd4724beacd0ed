//! A parent does not flatten both a union with unknown members and another map.

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
struct Parent {
    #[union(inline)]
    #[serde(flatten)]
    choice: Box<Choice>,
    #[serde(flatten)]
    labels: BTreeMap<String, String>,
}

fn main() {}
