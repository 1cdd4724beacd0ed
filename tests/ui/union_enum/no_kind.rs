//! An object says which variant it is, by a discriminator or by its member; nothing follows from that being unsaid.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
enum Target {
    None,
    Nowhere,
    S3(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
