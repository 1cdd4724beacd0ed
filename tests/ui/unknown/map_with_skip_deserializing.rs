//! A map of unknown members is read, or it could not keep the members.

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
    #[serde(flatten, skip_deserializing)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
