//! An enum has a schema where its members have one: it is missed where it is asked for.

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
