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
struct Build {
    #[union(nested)]
    source: Source,
}

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum Job {
    Source(Source),
    Optional(Option<Source>),
    Boxed(Box<Source>),
    List(Vec<Source>),
    Build(Build),
    #[union(nested)]
    Nested(Build),
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum)]
#[union(undiscriminated, strict, schema = false)]
enum Condition {
    Not(Box<Condition>),
    All(Vec<Self>),
    Text(String),
}

fn main() {}
