//! What could not be read is a `RawUnion`; one mistake, one error.

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
    #[union(other)]
    Other(String),
}

fn main() {}
