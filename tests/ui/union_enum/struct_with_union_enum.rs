//! The derive `UnionEnum` is for enums; structs have the derive `Union`.

use union_runtime::UnionEnum;

#[derive(UnionEnum)]
#[union(discriminator = "type")]
struct Target {
    s3: Option<String>,
}

fn main() {}
