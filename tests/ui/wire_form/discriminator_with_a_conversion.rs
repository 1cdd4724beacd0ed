//! A discriminator is not written by a function, whose values the schema does not know.

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
}

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    #[serde(with = "text")]
    kind: Option<Kind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

fn main() {}
