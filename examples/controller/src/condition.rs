//! The condition that a controller sets on an object.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of `metav1.Condition`, which k8s-openapi has whole (with its feature `schemars`).
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// What it is about.
    pub r#type: String,
    /// `True` or `False`.
    pub status: String,
    /// Why, in one word.
    pub reason: String,
    /// Why, for people.
    pub message: String,
    /// The generation of the object that it speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}
