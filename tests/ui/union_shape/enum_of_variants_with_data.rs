//! What serde writes for a tag and its data is a union on the wire.

use serde::{Deserialize, Serialize};
use union_runtime::Union;

#[derive(Union, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Target {
    None,
    S3 { bucket: String },
}

fn main() {}
