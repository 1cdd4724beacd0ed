//! Sample objects of a build script.

use serde_json::Value;

/// An object that an API server must accept, or must reject.
pub(super) struct Sample {
    /// The name of the output file, without its extension.
    pub(super) file: String,
    pub(super) object: Value,
    pub(super) is_accepted: bool,
}
