//! A value is a string, and nothing more.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta(u8),
}

fn main() {}
