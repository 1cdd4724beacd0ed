//! A member is an `Option`, and a type parameter is not.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
enum Kind {
    Alpha,
    Beta,
}

fn never<T>(_: &T) -> bool {
    false
}

#[derive(Union, Serialize)]
struct Strategy<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "never")]
    alpha: T,
}

fn main() {}
