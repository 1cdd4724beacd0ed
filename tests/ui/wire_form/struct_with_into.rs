//! A union is written as its own struct, not as another type.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Clone)]
enum Kind {
    Alpha,
}

impl From<Strategy> for String {
    fn from(_: Strategy) -> Self {
        unimplemented!()
    }
}

#[derive(Union, Serialize, Clone)]
#[serde(into = "String")]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
