//! Types that several test files use.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_enum, add_unions};

#[derive(EnumType, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[schemars(transform = add_enum::<Kind>)]
pub(crate) enum Kind {
    /// The first.
    Alpha,
    Beta,
    None,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// The end of a description: the docs of the values of [`Kind`].
pub(crate) const VALUE_DOCS: &str =
    "Possible enum values:\n - `\"Alpha\"` The first.\n - `\"Beta\"`\n - `\"None\"`";

/// A kind whose CRD from kube lacks only the extension keys.
#[derive(Union, CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Required", namespaced)]
#[schemars(transform = add_unions::<RequiredSpec>)]
pub(crate) struct RequiredSpec {
    /// The selected member.
    #[union(discriminator)]
    r#type: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i32>,
}
