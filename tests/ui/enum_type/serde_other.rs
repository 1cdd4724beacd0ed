//! serde's `other` forgets what it read.

use serde::Deserialize;
use union_runtime::EnumType;

#[derive(EnumType, Deserialize)]
enum Kind {
    Alpha,
    #[serde(other)]
    Unknown,
}

fn main() {}
