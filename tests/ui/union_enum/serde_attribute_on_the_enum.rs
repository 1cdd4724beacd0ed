//! The derive reads and writes the enum, so serde's attributes would be idle.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
#[serde(rename_all = "camelCase")]
enum Target {
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
