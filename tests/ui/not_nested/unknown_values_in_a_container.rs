use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

/// An enum type that keeps unknown values.
#[derive(EnumType, Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Low,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// An enum type whose unknown values serde rejects.
#[derive(EnumType, Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Closed {
    Low,
}

/// A type of keys that is not a string.
#[derive(PartialEq, Eq, Hash)]
struct Name;

/// A type of keys that is a string.
#[derive(PartialEq, Eq, Hash)]
struct Text(String);

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[derive(Union)]
struct Holder {
    #[union(key)]
    name: String,
    array: Option<[Level; 2]>,
    pair: (u8, Level),
    set: BTreeSet<Level>,
    queue: VecDeque<Option<Level>>,
    shared: Arc<Level>,
    borrowed: Cow<'static, Level>,
    keys: BTreeMap<Level, String>,
    by_number: BTreeMap<u16, Level>,
    by_name: Vec<HashMap<Name, Level>>,
    slice: Box<[Level]>,
    #[union(open)]
    open_set: BTreeSet<Level>,
    closed_set: BTreeSet<Closed>,
    by_text: Vec<HashMap<Text, Level>>,
    list: Vec<Option<Level>>,
    map: BTreeMap<String, Box<Level>>,
}

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum Target {
    Levels([Level; 1]),
    #[union(open)]
    Open([Level; 1]),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
