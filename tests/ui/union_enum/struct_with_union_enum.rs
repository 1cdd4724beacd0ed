//! A struct has a derive of its own.

use union_runtime::UnionEnum;

#[derive(UnionEnum)]
#[union(discriminator = "type")]
struct Target {
    s3: Option<String>,
}

fn main() {}
