//! A deduced discriminator that is an enum derives `EnumType`.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
enum Mode {
    Alpha,
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator, deduce)]
    kind: Mode,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
