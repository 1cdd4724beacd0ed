use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Disk,
    Bucket,
    Named,
}

#[derive(Union, Serialize, Deserialize)]
struct Target {
    #[union(discriminator)]
    kind: Kind,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<String>,
}

#[derive(Union, Serialize, Deserialize)]
struct Backup {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    disk: Option<Target>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket: Option<Box<Target>>,
    #[union(member = "Named")]
    #[serde(skip_serializing_if = "Option::is_none")]
    named: Option<BTreeMap<String, Target>>,
}

#[derive(Union, Serialize, Deserialize)]
#[union(all_members)]
struct All {
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Target>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<Vec<Target>>,
}

fn main() {}
