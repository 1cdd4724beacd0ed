//! The verdict on a CRD.

use serde::Serialize;

use super::note::Note;

/// The verdict on the CRD, which depends on nothing but the source of the CRD.
#[derive(Clone, Serialize)]
pub(super) struct OfCrd {
    pub(super) accepted: bool,
    pub(super) errors: Vec<Note>,
    pub(super) warnings: Vec<Note>,
    pub(super) notes: Vec<String>,
}
