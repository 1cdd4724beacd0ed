//! The derive `Union` is not for enums with data; such enums have the derive `UnionEnum`.

use serde::{Deserialize, Serialize};
use union_runtime::Union;

#[derive(Union, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Target {
    None,
    S3 { bucket: String },
}

fn main() {}
