//! All mistakes in an enum type are reported in one run.

use serde::Serialize;
use union_runtime::EnumType;

#[derive(EnumType, Serialize)]
#[enum_type(open)]
enum Kind {
    Alpha,
    #[serde(alias = "Second")]
    Beta,
    Gamma(u8),
    #[enum_type(other)]
    Unknown(String),
}

fn main() {}
