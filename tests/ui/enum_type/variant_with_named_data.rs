//! A value is a string, and nothing more.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta { size: u8 },
}

fn main() {}
