//! The schema of an enum needs the schemas of its members.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}
#[derive(Serialize, Deserialize, JsonSchema)]
struct Backup {
    target: Target,
}

fn main() {}
