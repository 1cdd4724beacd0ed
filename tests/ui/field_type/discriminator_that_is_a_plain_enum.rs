//! A discriminator that is an enum derives `EnumType`.

use serde::Serialize;
use union_runtime::Union;

#[derive(Serialize)]
enum Kind {
    Alpha,
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
