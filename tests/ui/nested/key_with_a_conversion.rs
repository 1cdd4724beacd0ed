//! A key is not written by a function, because keys are compared as they are in JSON.

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
struct Volume {
    #[union(key)]
    #[serde(with = "text")]
    name: String,
}

fn main() {}
