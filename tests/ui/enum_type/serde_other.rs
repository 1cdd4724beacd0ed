//! An enum type does not use serde's `other`, which loses the value that was read.

use serde::Deserialize;
use union_runtime::EnumType;

#[derive(EnumType, Deserialize)]
enum Kind {
    Alpha,
    #[serde(other)]
    Unknown,
}

fn main() {}
