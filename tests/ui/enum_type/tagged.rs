//! A value is a string on the wire, not an object.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
#[serde(tag = "type")]
enum Kind {
    Alpha,
}

fn main() {}
