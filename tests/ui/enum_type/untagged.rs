//! A value is a string on the wire, not null.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
#[serde(untagged)]
enum Kind {
    Alpha,
}

fn main() {}
