//! The unions of the case tables as Rust enums.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{RawUnion, UnionEnum};

/// The third example of the KEP.
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

/// The `OpenAPI` example of the KEP, with a discriminator that may be absent.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "union1")]
pub(crate) enum Absent {
    FieldA(i64),
    FieldB(Option<i64>),
    /// The value for users who need no settings.
    FieldC,
    FieldD,
    /// The value that selects no member.
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

/// The strategy by which a Deployment replaces old pods with new pods.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
pub(crate) enum DeploymentStrategy {
    /// All old pods are deleted before the first new pod is created.
    Recreate,
    /// Old pods are replaced step by step.
    #[union(default)]
    RollingUpdate(Option<RollingUpdate>),
    #[union(other)]
    Other(RawUnion),
}
