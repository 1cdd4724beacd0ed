//! The result of validating a CRD.

use serde::Serialize;

use super::editor_message::EditorMessage;

/// The result of validating the CRDs of an editor. The result depends only on the source and on the
/// settings of the server, so it is cached.
#[derive(Clone, Serialize)]
pub(super) struct CrdVerdict {
    pub(super) accepted: bool,
    pub(super) errors: Vec<EditorMessage>,
    pub(super) warnings: Vec<EditorMessage>,
    pub(super) notes: Vec<String>,
    /// The kinds and versions for which a sample object can be created.
    pub(super) samples: Vec<String>,
}
