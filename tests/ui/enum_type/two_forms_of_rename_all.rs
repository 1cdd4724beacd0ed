//! Reading and writing use the same rule for the names of values.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
#[serde(rename_all(serialize = "SCREAMING-KEBAB-CASE"))]
enum Kind {
    Alpha,
}

fn main() {}
