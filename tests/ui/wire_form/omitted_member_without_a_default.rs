//! A member that a function reads has a default for the absent member.

use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

mod text {
    pub fn serialize<T, S: serde::Serializer>(_: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }

    pub fn deserialize<'de, T: Default, D: serde::Deserializer<'de>>(_: D) -> Result<T, D::Error> {
        Ok(T::default())
    }
}

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Alpha,
    Beta,
}

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(deserialize_with = "text::deserialize", skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(with = "text", skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
