//! A value has one text.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[serde(alias = "Second")]
    Beta,
}

fn main() {}
