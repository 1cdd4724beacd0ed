//! The rules for names are the rules of serde.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type", fields = "camel_case")]
enum Target {
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
