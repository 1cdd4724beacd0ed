//! The error reports that all rules of metadata share.

use super::names::NameErrors;
use union_runtime::path::Path;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The path of the metadata, and the list to which errors are added.
pub(super) struct MetadataErrors<'r> {
    pub(super) path: &'r Path<'r>,
    pub(super) errors: &'r mut Vec<Violation>,
}

impl MetadataErrors<'_> {
    /// Reports an error in a field.
    pub(super) fn report(
        &mut self,
        kind: ViolationKind,
        field: &str,
        found: BadValue,
        detail: &str,
    ) {
        let path = self.path.field(field).to_field_path();
        self.errors
            .push(Violation::from_parts(kind, path, found, detail.to_owned()));
    }

    pub(super) fn invalid(&mut self, field: &str, found: BadValue, detail: &str) {
        self.report(ViolationKind::Invalid, field, found, detail);
    }

    /// Reports all errors of a string.
    pub(super) fn report_all(&mut self, field: &str, text: &str, wrong: NameErrors) {
        for wrong in wrong {
            self.invalid(field, BadValue::Quoted(text.to_owned()), &wrong);
        }
    }

    pub(super) fn too_long(&mut self, field: &str, most: usize) {
        let detail = format!("may not be more than {most} bytes");
        self.report(ViolationKind::TooLong, field, BadValue::Omitted, &detail);
    }
}
