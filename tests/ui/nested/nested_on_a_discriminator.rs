//! A discriminator is not `nested`, because it has no unions.

use serde::Serialize;
use union_runtime::Union;

#[derive(union_runtime::EnumType, Serialize)]
enum Kind {
    A,
    B,
}

#[derive(Union, Serialize)]
struct Pod {
    #[union(discriminator, nested)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
}

fn main() {}
