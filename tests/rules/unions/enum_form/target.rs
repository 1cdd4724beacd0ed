//! The enum that most tests of this folder use, and functions to read and write it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{RawUnion, UnionEnum};

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) struct S3 {
    pub(crate) bucket: String,
}

/// The target of a backup.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type", flattened = "own_fields")]
pub(crate) enum Target {
    /// No target.
    None,
    /// A bucket.
    S3(S3),
    Volume(Option<String>),
    #[union(member = "CORS")]
    Cors(Box<S3>),
    #[union(other)]
    Other(RawUnion),
}

/// The enum `Target` without a variant for unknown objects, so reading such an object fails.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type", strict)]
pub(crate) enum Strict {
    None,
    S3(S3),
    Volume(Option<String>),
}

#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated, flattened = "own_fields")]
pub(crate) enum Source {
    Secret(S3),
    HostPath(String),
    #[union(other)]
    Other(RawUnion),
}

/// The union `Source` with a variant for an object without a member.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(undiscriminated)]
pub(crate) enum MaybeSource {
    Nothing,
    Secret(S3),
    HostPath(String),
    #[union(other)]
    Other(RawUnion),
}

pub(crate) fn bucket(name: &str) -> S3 {
    S3 {
        bucket: name.to_owned(),
    }
}

#[track_caller]
pub(crate) fn read<T: UnionEnum>(object: &Value) -> T {
    serde_json::from_value(object.clone()).unwrap_or_else(|error| panic!("{object}: {error}"))
}

pub(crate) fn to_json<T: UnionEnum>(value: &T) -> Value {
    serde_json::to_value(value).expect("a serializable value")
}

/// Returns the kept object of a value that fits no variant.
#[track_caller]
pub(crate) fn raw<T: UnionEnum>(value: &T) -> &RawUnion {
    value.raw().expect("the object fits no variant")
}

pub(crate) fn unknown_object() -> Value {
    json!({"type": "Tape", "tape": {"drive": 1}})
}
