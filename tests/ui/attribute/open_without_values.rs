use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize)]
enum Level {
    Low,
}

/// An enum that does not derive `EnumType`.
#[derive(Serialize, Deserialize)]
enum Plain {
    Low,
}

#[derive(Union, Serialize, Deserialize)]
struct Inner {
    level: Level,
    #[union(open)]
    is_fine: BTreeMap<String, Level>,
    #[union(nested)]
    next: Option<Box<Inner>>,
}

#[derive(Union, Serialize, Deserialize)]
struct Disk {
    #[union(nested)]
    inner: Option<Inner>,
    #[union(open)]
    plain: Plain,
    #[union(open)]
    text: Option<String>,
}

#[derive(Union, Serialize, Deserialize)]
struct Volume {
    #[union(open, nested)]
    inner: Option<Inner>,
}

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    #[union(open)]
    None,
    #[union(open)]
    Plain(Plain),
    #[union(nested, open)]
    Inner(Inner),
    #[union(other, open)]
    Other(RawUnion),
}

#[derive(UnionEnum)]
#[union(discriminator = "type", strict)]
enum Second {
    #[union(open)]
    Plain(Plain),
    #[union(open)]
    Level(Level),
}

fn main() {}
