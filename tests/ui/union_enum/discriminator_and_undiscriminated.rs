//! A union enum does not have both a `discriminator` and the attribute `undiscriminated`.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type", undiscriminated)]
enum Target {
    None,
    Nowhere,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
