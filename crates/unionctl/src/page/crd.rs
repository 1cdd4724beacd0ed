//! The verdict on a CRD.

use serde::Serialize;

use super::editor_message::EditorMessage;

/// The verdict on the CRD, which depends on nothing but the source of the CRD.
#[derive(Clone, Serialize)]
pub(super) struct CrdVerdict {
    pub(super) accepted: bool,
    pub(super) errors: Vec<EditorMessage>,
    pub(super) warnings: Vec<EditorMessage>,
    pub(super) notes: Vec<String>,
}
