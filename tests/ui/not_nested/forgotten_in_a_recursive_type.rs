use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use union_runtime::Union;

#[derive(Union, Serialize, Deserialize)]
struct Tree {
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    leaf: Option<u8>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Box<Tree>>,
    next: Option<Box<Self>>,
    #[union(nested)]
    checked: BTreeMap<String, Tree>,
    #[union(not_nested)]
    unchecked: Vec<Tree>,
}

fn main() {}
