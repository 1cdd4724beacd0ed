use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(UnionEnum, Clone)]
#[union(discriminator = "type", schema = false)]
enum Target {
    Disk(String),
    #[union(other)]
    Other(RawUnion),
}

type Alias = Option<Vec<Target>>;

#[derive(Union)]
struct Holder<'a> {
    #[union(key)]
    name: String,
    plain: Target,
    option: Option<Target>,
    boxed: Box<Target>,
    list: Vec<Target>,
    options: Vec<Option<Target>>,
    boxes: Option<Box<Target>>,
    map: BTreeMap<String, Target>,
    lists: HashMap<String, Vec<Target>>,
    alias: Alias,
    array: [Target; 2],
    slice: Box<[Target]>,
    pair: (u8, Target),
    shared: Rc<Target>,
    shared_list: Arc<Vec<Target>>,
    locked: Mutex<Target>,
    borrowed: Cow<'a, Target>,
    reference: &'a Target,
    queue: VecDeque<Target>,
    set: BTreeSet<Target>,
    by_number: HashMap<u16, Target>,
}

/// A struct whose fields have attributes of serde.
#[derive(Union, Serialize, Deserialize)]
struct Converted {
    #[union(key)]
    name: String,
    #[serde(serialize_with = "write")]
    converted: Target,
    #[serde(skip_serializing)]
    only_read: Target,
    #[serde(rename = "other", alias = "another", default)]
    renamed: Option<Target>,
}

fn write<S: serde::Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
    target.serialize(serializer)
}

fn main() {}
