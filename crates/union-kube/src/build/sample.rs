//! An object that a build script checks.

use serde_json::Value;

/// An object that should be accepted or rejected.
pub(super) struct Sample {
    pub(super) file: String,
    pub(super) object: Value,
    pub(super) is_accepted: bool,
}
