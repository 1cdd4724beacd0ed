//! A map of unknown members has no `skip_serializing_if`, which could skip members.

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

fn is_dull(rest: &BTreeMap<String, Value>) -> bool {
    rest.len() < 2
}

#[derive(Union, Serialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(unknown)]
    #[serde(flatten, skip_serializing_if = "is_dull")]
    rest: BTreeMap<String, Value>,
}

fn main() {}
