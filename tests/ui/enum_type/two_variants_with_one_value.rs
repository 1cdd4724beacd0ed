//! Two variants have different strings in JSON.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[serde(rename = "Alpha")]
    Beta,
}

fn main() {}
