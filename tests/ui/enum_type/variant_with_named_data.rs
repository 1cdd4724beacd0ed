//! A variant of an enum type has no named data.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta { size: u8 },
}

fn main() {}
