//! The rule in `values` gives two variants different values.

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize)]
struct S3 {
    bucket: String,
}
#[derive(UnionEnum)]
#[union(discriminator = "type", values = "UPPERCASE")]
enum Target {
    NFS(S3),
    #[union(field = "nfs2")]
    Nfs(S3),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
