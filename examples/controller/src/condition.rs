//! The condition that a controller sets on an object.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The fields of `metav1.Condition` that this example uses. k8s-openapi has the whole type, which
/// has a schema with its feature `schemars`.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The type of the condition, such as `Ready`.
    pub r#type: String,
    /// The status of the condition: `True` or `False`.
    pub status: String,
    /// The reason for the status, as one word for programs.
    pub reason: String,
    /// The reason for the status, as a message.
    pub message: String,
    /// The generation of the object for which the condition was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}
