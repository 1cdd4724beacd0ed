//! An enum with data is a union, which is reported once.

use serde::{Deserialize, Serialize};
use union_runtime::EnumType;

#[derive(EnumType, Serialize, Deserialize)]
enum Target {
    S3(String),
    Volume { claim: String },
}

#[derive(EnumType, Serialize, Deserialize)]
enum Skipped {
    Alpha,
    #[serde(skip)]
    Marker(u8),
}

fn main() {}
