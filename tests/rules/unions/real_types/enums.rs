//! The unions of the verdict tables as Rust enums.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

/// The KEP's third example.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub(crate) enum Union2 {
    #[union(member = "ALPHA", field = "alpha")]
    Alpha(i64),
    #[union(member = "BETA", field = "beta")]
    Beta(Option<i64>),
    #[union(other)]
    Other(RawUnion),
}

/// The KEP's `OpenAPI` example, with a discriminator that may be absent.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "union1")]
pub(crate) enum Absent {
    FieldA(i64),
    FieldB(Option<i64>),
    /// Chosen by people who need no settings.
    FieldC,
    FieldD,
    /// Nothing is chosen.
    #[union(member = "")]
    Nothing,
    #[union(other)]
    Other(RawUnion),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RollingUpdate {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_unavailable: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_surge: Option<i32>,
}

/// How a Deployment gets from old pods to new ones.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub(crate) enum DeploymentStrategy {
    /// All old pods are gone before the first new one comes.
    Recreate,
    /// Old pods go as new ones come.
    #[union(default)]
    RollingUpdate(Option<RollingUpdate>),
    #[union(other)]
    Other(RawUnion),
}
