//! The collector of errors in metadata.

use super::names::NameErrors;
use k8s_cel::{Feature, KubeVersion};
use union_runtime::path::Path;
use union_runtime::{BadValue, Violation, ViolationKind};

/// A collector of the errors in one metadata object. Each rule for metadata adds its errors.
pub(in crate::metadata::meta) struct MetadataErrors<'r> {
    pub(in crate::metadata::meta) path: &'r Path<'r>,
    /// The version of the server. Some rules and messages depend on the version.
    pub(in crate::metadata::meta) version: KubeVersion,
    pub(in crate::metadata::meta) errors: &'r mut Vec<Violation>,
}

impl MetadataErrors<'_> {
    /// Returns a collector that adds errors of another path to the same list.
    pub(in crate::metadata::meta) fn at<'a>(
        &'a mut self,
        path: &'a Path<'a>,
    ) -> MetadataErrors<'a> {
        MetadataErrors {
            path,
            version: self.version,
            errors: &mut *self.errors,
        }
    }

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

    /// Adds the error for an empty string in a required field.
    pub(super) fn empty(&mut self, field: &str) {
        let detail = "must not be empty";
        if self.version.has(Feature::DeclarativeMetadata) {
            self.report(ViolationKind::Required, field, BadValue::Omitted, detail);
        } else {
            self.invalid(field, BadValue::Quoted(String::new()), detail);
        }
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
