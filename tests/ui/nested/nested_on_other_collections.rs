//! A collection with `nested` is a `Vec` or a map with string keys.

use std::collections::{BTreeSet, HashMap, VecDeque};

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize, Clone)]
struct Choice {
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

#[derive(Union)]
struct Holder {
    #[union(nested)]
    by_number: HashMap<u16, Choice>,
    #[union(nested)]
    ring: VecDeque<Choice>,
    #[union(nested)]
    pair: (Choice, Choice),
    #[union(nested)]
    fixed: [Choice; 2],
    #[union(nested)]
    slice: Box<[Choice]>,
    #[union(nested)]
    set: BTreeSet<Choice>,
}

fn main() {}
