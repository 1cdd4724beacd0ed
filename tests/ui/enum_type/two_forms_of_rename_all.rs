//! A value is read as it is written.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
#[serde(rename_all(serialize = "SCREAMING-KEBAB-CASE"))]
enum Kind {
    Alpha,
}

fn main() {}
