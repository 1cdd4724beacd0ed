//! An optional deduced discriminator is absent when it is `None`, not null.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator, deduce)]
    kind: Option<String>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
