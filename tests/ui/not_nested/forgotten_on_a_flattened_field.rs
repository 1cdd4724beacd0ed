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
struct Source {
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Union, Serialize, Deserialize)]
struct Backup {
    #[union(key)]
    name: String,
    #[serde(flatten)]
    target: Target,
    #[serde(flatten)]
    source: Option<Source>,
}

fn main() {}
