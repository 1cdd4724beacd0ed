//! A variant of an enum type has no data.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta(u8),
}

fn main() {}
