//! The attributes of union enums have other names on structs.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[union(undiscriminated, strict)]
#[union(fields = "camelCase")]
struct Source {
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
}

fn main() {}
