//! A created patch, with the warnings about it.

use core::fmt;
use core::ops::Deref;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::warning::PatchWarning;

/// A patch that [`diff`](crate::PatchSchema::diff) or [`three_way`](crate::PatchSchema::three_way)
/// returns: a JSON object, and warnings about list elements that share their merge key.
///
/// A `Patch` dereferences to the JSON object, and serializes and prints as the JSON object.
///
/// ```
/// use serde_json::json;
/// use k8s_strategic_merge_patch::{PatchSchema, PatchWarningKind};
///
/// let schema = PatchSchema::compile(&json!({"properties": {"ports": {
///     "type": "array",
///     "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "port",
///     "items": {"properties": {"port": {"type": "integer"}, "protocol": {"type": "string"}}},
/// }}}))?;
/// let udp = json!({"port": 53, "protocol": "UDP"});
/// let tcp = json!({"port": 53, "protocol": "TCP"});
/// let both = json!({"ports": [udp, tcp]});
///
/// // A server would remove both elements, because both have port 53.
/// let patch = schema.diff(&both, &json!({"ports": [tcp]}))?;
/// assert_eq!(patch["ports"], json!([{"$patch": "replace"}, tcp]));
/// assert_eq!(patch.warnings()[0].kind(), PatchWarningKind::ListReplaced);
/// assert_eq!(patch.warnings()[0].elements(), [udp, tcp.clone()]);
/// assert_eq!(schema.apply(both, &patch)?, json!({"ports": [tcp]}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    value: Value,
    warnings: Vec<PatchWarning>,
}

impl Patch {
    pub(crate) const fn new(value: Value, warnings: Vec<PatchWarning>) -> Self {
        Self { value, warnings }
    }

    /// Returns the warnings; none if no list has elements that share their merge key.
    #[must_use]
    pub fn warnings(&self) -> &[PatchWarning] {
        &self.warnings
    }

    /// Returns the patch and the warnings about it.
    #[must_use]
    pub fn into_parts(self) -> (Value, Vec<PatchWarning>) {
        (self.value, self.warnings)
    }
}

impl Deref for Patch {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.value
    }
}

/// Drops the warnings.
impl From<Patch> for Value {
    fn from(patch: Patch) -> Self {
        patch.value
    }
}

impl PartialEq<Value> for Patch {
    fn eq(&self, other: &Value) -> bool {
        self.value == *other
    }
}

impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl Serialize for Patch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}
