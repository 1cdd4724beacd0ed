//! Two variants that are one text on the wire cannot be told apart.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[serde(rename = "Alpha")]
    Beta,
}

fn main() {}
