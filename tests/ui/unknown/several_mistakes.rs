//! All mistakes with a map of unknown members are reported in one run.

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
#[serde(deny_unknown_fields)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    alpha: Option<u8>,
    #[union(unknown)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
