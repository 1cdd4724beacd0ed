//! The attributes of union enums and of their variants have other names in structs.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
struct Config {
    name: String,
}

#[derive(Union, Serialize)]
#[union(read_also = "external", flattened = "own_fields")]
struct Source {
    #[union(member, group = source, field = "first")]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[union(member, group = source, preserve_unknown_fields)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    #[union(flattened = "all_fields")]
    #[serde(flatten)]
    config: Config,
}

fn main() {}
