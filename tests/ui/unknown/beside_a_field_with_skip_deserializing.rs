//! A map of unknown members has no field beside it that is only written.

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
    #[serde(skip_deserializing)]
    hash: u64,
    #[union(unknown)]
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
