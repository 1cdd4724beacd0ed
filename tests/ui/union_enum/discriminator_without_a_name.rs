//! An enum has no field for its discriminator, so its name is said; that there is none is not a second mistake.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator)]
enum Target {
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
