//! A union enum has either an `other` variant or the attribute `strict`.

use serde::{Deserialize, Serialize};
use union_runtime::UnionEnum;

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    None,
    S3(S3),
}

fn main() {}
