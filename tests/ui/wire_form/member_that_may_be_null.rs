//! A member is not written as null, which means that the member is unset.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

type Text = Option<Option<String>>;

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<Option<u8>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Box<std::option::Option<Box<()>>>,
}

#[derive(Union, Serialize, Deserialize)]
struct Hidden {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Text,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: crate::Text,
}

#[derive(Union, Serialize, Deserialize)]
struct WithoutData {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<std::marker::PhantomData<u8>>,
}

fn main() {}
