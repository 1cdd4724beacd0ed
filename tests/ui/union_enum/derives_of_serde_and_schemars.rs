//! A union enum does not derive the traits of serde and schemars, which it already implements.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize, JsonSchema)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum, Serialize, Deserialize, JsonSchema)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
