use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum Target {
    Disk(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Disk,
}

#[derive(Serialize, Deserialize)]
struct Plain {
    target: Target,
}

#[derive(Union, Serialize, Deserialize)]
#[union(not_nested(by_name))]
struct Backup<T> {
    #[union(discriminator, not_nested)]
    kind: Kind,
    #[union(member, not_nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<Plain>,
    #[union(not_nested)]
    plain: Vec<Plain>,
    #[union(not_nested)]
    free: BTreeMap<String, Value>,
    by_name: Plain,
    /// The derive does not know the type.
    #[union(not_nested)]
    generic: T,
    #[union(not_nested)]
    is_fine: (u8, Target),
}

#[derive(UnionEnum)]
#[union(discriminator = "type", strict, schema = false)]
enum Job {
    #[union(not_nested)]
    Plain(Plain),
    #[union(not_nested)]
    Target(Target),
}

fn main() {}
