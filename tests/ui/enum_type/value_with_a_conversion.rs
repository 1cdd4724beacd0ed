//! A value is written as its name, not by a function.

use serde::{Deserialize, Serialize};
use union_runtime::EnumType;

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
    #[serde(serialize_with = "nothing")]
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(#[serde(with = "text")] String),
}

fn nothing<S: serde::Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit()
}

fn main() {}
