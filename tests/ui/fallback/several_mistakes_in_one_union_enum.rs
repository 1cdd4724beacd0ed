//! All mistakes in a union enum are reported in one run, each once.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type", strict)]
#[serde(rename_all = "camelCase")]
enum Target<'a> {
    #[union(field = "none")]
    None,
    #[union(default)]
    S3(S3),
    #[union(member = "S3", default)]
    Bucket(&'a S3),
    Tape {
        label: String,
    },
    #[union(other)]
    Other(String),
    Rest(RawUnion),
}

fn main() {}
