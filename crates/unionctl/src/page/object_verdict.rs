//! The result of validating the new object.

use serde::Serialize;

use super::editor_message::EditorMessage;
use super::stored_diff::DiffLine;
use crate::judge::reply::unions_reply::Change;

#[derive(Serialize)]
pub(super) struct ObjectVerdict {
    /// The operation and the object: `update of Backup "default/nightly"`.
    pub(super) title: String,
    pub(super) op: &'static str,
    pub(super) accepted: bool,
    /// The parts of the object that are checked; `None` if the whole object is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scope: Option<String>,
    pub(super) errors: Vec<EditorMessage>,
    pub(super) ratcheted: Vec<EditorMessage>,
    pub(super) warnings: Vec<EditorMessage>,
    /// The changes of normalization.
    pub(super) changes: Vec<Change>,
    pub(super) notes: Vec<String>,
    /// The lines of the object, as it was sent and as it is stored.
    pub(super) lines: Vec<DiffLine>,
}
