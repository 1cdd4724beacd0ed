//! A map of unknown members is not written by a function, which could change the members.

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

fn nothing<S: serde::Serializer>(
    _: &BTreeMap<String, Value>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("a", 1)])
}

#[derive(Union, Serialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(unknown)]
    #[serde(flatten, serialize_with = "nothing")]
    rest: BTreeMap<String, Value>,
}

fn main() {}
