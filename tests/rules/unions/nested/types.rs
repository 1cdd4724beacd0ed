//! The unions that the tests put into other structs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Nothing,
    Alpha,
    Beta,
}

/// A union of the 2022 model.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_unions::<Choice>)]
pub(crate) struct Choice {
    #[union(discriminator)]
    pub(crate) kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alpha: Option<i32>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) beta: Option<i32>,
}

/// A union without a discriminator.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Source>)]
pub(crate) struct Source {
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) host_path: Option<i32>,
    #[union(member, group = source)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) empty_dir: Option<i32>,
}

/// A union of the 2022 model whose discriminator may be absent, and whose names differ from those
/// of the other unions here.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Target>)]
pub(crate) struct Target {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<TargetKind>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pod: Option<String>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) service: Option<String>,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) enum TargetKind {
    Pod,
    Service,
}
