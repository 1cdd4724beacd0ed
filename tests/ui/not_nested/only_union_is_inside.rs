use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum Source {
    Git(String),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Union, Serialize, Deserialize)]
struct Repository {
    source: Source,
    interval: u32,
}

#[derive(Union, Serialize, Deserialize)]
struct Flattened {
    #[serde(flatten)]
    source: Source,
}

/// A struct with neither a union nor a type that has unions.
#[derive(Union, Serialize, Deserialize)]
struct Plain {
    name: Vec<Name>,
}

#[derive(Serialize, Deserialize)]
struct Name {
    name: String,
}

/// The only union is unchecked.
#[derive(Union, Serialize, Deserialize)]
struct Unchecked {
    #[union(not_nested)]
    source: Source,
}

/// Its own unions would be these ones.
#[derive(Union, Serialize, Deserialize)]
struct Recursive {
    next: Option<Box<Recursive>>,
}

fn main() {}
