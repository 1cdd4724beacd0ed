//! A field with `nested` is not written by a function, which could change its paths.

use serde::{Deserialize, Serialize};
use union_runtime::Union;

mod text {
    pub fn serialize<T, S: serde::Serializer>(_: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }

    pub fn deserialize<'de, T: Default, D: serde::Deserializer<'de>>(_: D) -> Result<T, D::Error> {
        Ok(T::default())
    }
}

#[derive(Union, Serialize, Deserialize, Default)]
struct Choice {
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

#[derive(Union, Serialize, Deserialize)]
struct Holder {
    #[union(nested)]
    #[serde(with = "text")]
    choice: Choice,
    #[union(nested)]
    #[serde(deserialize_with = "text::deserialize", skip_serializing_if = "Option::is_none")]
    other: Option<Choice>,
    #[union(inline)]
    #[serde(flatten, serialize_with = "text::serialize")]
    inline: Choice,
}

fn main() {}
