//! A value is a string on the wire, not a number.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
#[repr(u8)]
enum Kind {
    Alpha = 1,
    Beta = 2,
}

fn main() {}
