//! Unions of apps/v1, core/v1 and flowcontrol/v1.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::unions::real_types::model::{Absence, Member, Model};
use crate::unions::real_types::states::Sample;

/// The strategy by which a Deployment replaces old pods with new pods.
#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, Default, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<StrategyType>)]
pub(crate) enum StrategyType {
    /// All old pods are deleted before the first new pod is created.
    Recreate,
    /// Old pods are replaced step by step.
    #[default]
    RollingUpdate,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(untagged)]
pub(crate) enum IntOrString {
    Int(i32),
    String(String),
}

/// The speed of a rolling update.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RollingUpdateDeployment {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_unavailable: Option<IntOrString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_surge: Option<IntOrString>,
}

/// A union with a value without a member, an optional member, and a default value.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<DeploymentStrategy>)]
pub(crate) struct DeploymentStrategy {
    #[union(discriminator)]
    #[serde(default)]
    r#type: StrategyType,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    rolling_update: Option<RollingUpdateDeployment>,
}

impl Sample for DeploymentStrategy {
    const MODEL: Model = Model {
        discriminator: "type",
        values: &["Recreate", "RollingUpdate"],
        members: &[Member {
            field: "rollingUpdate",
            value: "RollingUpdate",
            optional: true,
            json: r#"{"maxUnavailable": "25%", "maxSurge": 1}"#,
        }],
        absence: Absence::ReadAs("RollingUpdate"),
        is_lenient: true,
    };
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(transform = union_runtime::add_enum::<SeccompProfileType>)]
pub(crate) enum SeccompProfileType {
    /// System calls are not restricted.
    Unconfined,
    /// The container runtime's own profile.
    RuntimeDefault,
    /// A file on the node.
    Localhost,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

/// A union with one member and three values.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<SeccompProfile>)]
pub(crate) struct SeccompProfile {
    /// The kind of the profile.
    #[union(discriminator)]
    r#type: SeccompProfileType,
    /// The path of the file below the kubelet's directory of profiles.
    #[union(member = "Localhost")]
    #[serde(skip_serializing_if = "Option::is_none")]
    localhost_profile: Option<String>,
}

impl Sample for SeccompProfile {
    const MODEL: Model = Model {
        discriminator: "type",
        values: &["Unconfined", "RuntimeDefault", "Localhost"],
        members: &[Member {
            field: "localhostProfile",
            value: "Localhost",
            optional: false,
            // An empty string is a value, so the member is set.
            json: r#""""#,
        }],
        absence: Absence::Unreadable,
        is_lenient: true,
    };
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) enum LimitResponseType {
    /// Requests over the limit wait.
    Queue,
    /// Requests over the limit are rejected.
    Reject,
}

/// The queues in which requests wait.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueuingConfiguration {
    #[serde(skip_serializing_if = "Option::is_none")]
    queues: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hand_size: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_length_limit: Option<i32>,
}

/// A union with a value that is not the name of the member in another case.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<LimitResponse>)]
pub(crate) struct LimitResponse {
    #[union(discriminator)]
    r#type: LimitResponseType,
    #[union(member = "Queue")]
    #[serde(skip_serializing_if = "Option::is_none")]
    queuing: Option<QueuingConfiguration>,
}

impl Sample for LimitResponse {
    const MODEL: Model = Model {
        discriminator: "type",
        values: &["Queue", "Reject"],
        members: &[Member {
            field: "queuing",
            value: "Queue",
            optional: false,
            // An empty object is a value, so the member is set.
            json: "{}",
        }],
        absence: Absence::Unreadable,
        is_lenient: false,
    };
}
