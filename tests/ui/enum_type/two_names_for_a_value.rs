//! Reading and writing use the same name for a value.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[serde(rename(serialize = "BETA"))]
    Beta,
}

fn main() {}
