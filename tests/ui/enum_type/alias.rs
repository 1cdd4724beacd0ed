//! A value has a single name in JSON, so aliases are an error.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[serde(alias = "Second")]
    Beta,
}

fn main() {}
