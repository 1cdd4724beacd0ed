//! A value is not skipped, because it is read and written.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    #[serde(skip)]
    Beta,
}

fn main() {}
