//! The error reports that all rules of metadata share.

use super::names::Wrong;
use union_runtime::path::Path;
use union_runtime::{Found, Violation, ViolationKind};

/// The path of the metadata, and the list to which errors are added.
pub(super) struct Rules<'r> {
    pub(super) at: &'r Path<'r>,
    pub(super) sink: &'r mut Vec<Violation>,
}

impl Rules<'_> {
    /// Reports an error in a field.
    pub(super) fn found(&mut self, kind: ViolationKind, field: &str, found: Found, detail: &str) {
        let path = self.at.field(field).to_field_path();
        self.sink
            .push(Violation::found(kind, path, found, detail.to_owned()));
    }

    pub(super) fn invalid(&mut self, field: &str, found: Found, detail: &str) {
        self.found(ViolationKind::Invalid, field, found, detail);
    }

    /// Reports all errors of a string.
    pub(super) fn wrong(&mut self, field: &str, text: &str, wrong: Wrong) {
        for wrong in wrong {
            self.invalid(field, Found::Text(text.to_owned()), &wrong);
        }
    }

    pub(super) fn too_long(&mut self, field: &str, most: usize) {
        let detail = format!("may not be more than {most} bytes");
        self.found(ViolationKind::TooLong, field, Found::Nothing, &detail);
    }
}
