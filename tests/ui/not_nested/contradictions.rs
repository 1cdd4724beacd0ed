use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum Target {
    Disk(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Union, Serialize, Deserialize)]
#[union(nested(by_name), not_nested(by_name, both, absent))]
struct Backup {
    #[union(nested, not_nested)]
    target: Target,
    #[union(not_nested, inline(lossy))]
    #[serde(flatten)]
    flattened: Target,
    by_name: Target,
    #[union(nested)]
    both: Target,
    #[union(not_nested)]
    #[serde(skip)]
    skipped: Option<Box<u8>>,
    #[union(not_nested)]
    text: Option<String>,
    #[union(not_nested = "always")]
    value: Target,
}

#[derive(Union, Serialize, Deserialize)]
#[union(not_nested)]
struct WithoutNames {
    #[union(nested)]
    target: Target,
}

#[derive(UnionEnum)]
#[union(discriminator = "type", not_nested, schema = false)]
enum Job {
    #[union(nested, not_nested)]
    Both(Target),
    #[union(not_nested)]
    Unit,
    #[union(not_nested)]
    Text(String),
    #[union(other, not_nested)]
    Other(RawUnion),
}

fn main() {}
