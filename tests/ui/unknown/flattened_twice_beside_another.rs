//! A struct between the parent and the union with unknown members changes nothing.

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

#[derive(Serialize)]
struct Other {
    x: u8,
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
    choice: Choice,
}

#[derive(Union, Serialize)]
struct Grandparent {
    #[union(inline)]
    #[serde(flatten)]
    parent: Parent,
    #[serde(flatten)]
    other: Other,
}

fn main() {}
