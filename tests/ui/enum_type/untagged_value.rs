//! A value is a string on the wire, not null.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[serde(untagged)]
    Beta,
}

fn main() {}
