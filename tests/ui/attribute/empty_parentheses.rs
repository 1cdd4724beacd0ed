//! An attribute without names in its parentheses is an error.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize)]
#[enum_type()]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize, Deserialize)]
#[union()]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union()]
    comment: String,
}

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    #[union()]
    S3(String),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
