//! What this build does not know is kept, or reading fails: an author decides.

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
