//! The result of validating a CRD.

use serde::Serialize;

use super::editor_message::EditorMessage;

/// The result of validating a CRD. It depends only on the source of the CRD, so it is cached.
#[derive(Clone, Serialize)]
pub(super) struct CrdVerdict {
    pub(super) accepted: bool,
    pub(super) errors: Vec<EditorMessage>,
    pub(super) warnings: Vec<EditorMessage>,
    pub(super) notes: Vec<String>,
}
