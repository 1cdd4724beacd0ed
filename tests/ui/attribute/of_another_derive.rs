//! The attribute of an enum type is `enum_type`, and the attribute of a union is `union`.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize)]
#[union(schema = false)]
enum Kind {
    Alpha,
    #[union(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(UnionEnum)]
#[union(discriminator = "type")]
enum Target {
    S3(String),
    #[enum_type(other)]
    Other(RawUnion),
}

#[derive(Union, Serialize, Deserialize)]
#[enum_type(schema = false)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
