//! The collector of errors in metadata.

use super::names::NameErrors;
use union_runtime::path::Path;
use union_runtime::{BadValue, Violation, ViolationKind};

/// A collector of the errors in one metadata object. The rules for metadata add their
/// errors to a collector.
pub(in crate::metadata::meta) struct MetadataErrors<'r> {
    pub(in crate::metadata::meta) path: &'r Path<'r>,
    pub(in crate::metadata::meta) errors: &'r mut Vec<Violation>,
}

impl MetadataErrors<'_> {
    /// Adds an error in a field.
    pub(in crate::metadata::meta) fn report(
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

    pub(in crate::metadata::meta) fn invalid(
        &mut self,
        field: &str,
        found: BadValue,
        detail: &str,
    ) {
        self.report(ViolationKind::Invalid, field, found, detail);
    }

    /// Adds an error for each message about a string.
    pub(in crate::metadata::meta) fn report_all(
        &mut self,
        field: &str,
        value: &str,
        messages: NameErrors,
    ) {
        for message in messages {
            self.invalid(field, BadValue::Quoted(value.to_owned()), &message);
        }
    }

    /// Adds the error for a field with more than `max` bytes.
    pub(in crate::metadata::meta) fn too_long(&mut self, field: &str, max: usize) {
        let detail = format!("may not be more than {max} bytes");
        self.report(ViolationKind::TooLong, field, BadValue::Omitted, &detail);
    }
}
