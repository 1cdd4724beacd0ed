//! Without a discriminator the unit variant stands for no member already.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(undiscriminated)]
enum Target {
    #[union(absent)]
    None,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
