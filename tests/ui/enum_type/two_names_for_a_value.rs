//! A value is read as it is written.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[serde(rename(serialize = "BETA"))]
    Beta,
}

fn main() {}
