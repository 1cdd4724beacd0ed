//! Finds the findings about unions and enums that report the same change as a finding about a
//! keyword of a schema.

use crd_compat::{Finding as Change, Keyword, VersionReport, field_path};
use union_json::document::SchemaPath;

use crate::report::finding::{ChangeCode, CompatReport, Finding};

impl Finding {
    fn schema_path(&self) -> Option<SchemaPath> {
        SchemaPath::from_pointer(&self.pointer)
    }

    /// Returns true if the keyword of a change reports an error of the rejected objects.
    pub(crate) fn is_rejected_by(&self, change: &Change) -> bool {
        let Some(path) = self.schema_path() else {
            return false;
        };
        let mut places = self.error_places.iter();
        places.any(|place| place.is_caused_by(change, &path))
    }

    /// Returns true if the object that proves a change has a field that only one version has, and
    /// if the finding reports this field.
    pub(crate) fn has_field_in(&self, change: &Change) -> bool {
        let object = change.proof.as_ref().map(|proof| &proof.object);
        let object = object.and_then(|object| field_path(&self.schema_path()?).find(object));
        let is_in_object = |field: &String| object.is_some_and(|it| it.get(field).is_some());
        self.is_about_one_version() && self.fields.iter().any(is_in_object)
    }

    /// Returns true if the finding is about a field that only one version has.
    const fn is_about_one_version(&self) -> bool {
        matches!(
            self.code,
            ChangeCode::MemberAdded
                | ChangeCode::MemberRemoved
                | ChangeCode::MemberRenamed
                | ChangeCode::DiscriminatorAdded
                | ChangeCode::DiscriminatorRemoved
                | ChangeCode::DiscriminatorRenamed
                | ChangeCode::ValueAdded
                | ChangeCode::ValueRemoved
        )
    }

    /// Returns true if a change tells more about the same difference.
    fn repeats(&self, change: &Change) -> bool {
        if self.code == ChangeCode::ObjectRemoved {
            let path = self.schema_path();
            return change.keyword == Some(Keyword::Properties)
                && path.is_some_and(|path| path.starts_with(&change.place));
        }
        self.is_about_other_rule && self.is_rejected_by(change)
    }
}

impl CompatReport {
    /// Removes the findings that only repeat findings of the other report: about rules outside of
    /// unions, and about removed objects. The other report names the keyword or the outermost
    /// field.
    pub(crate) fn remove_repetitions_of(&mut self, version: &VersionReport) {
        let remove = |findings: &mut Vec<Finding>, changes: &[Change]| {
            findings.retain(|finding| !changes.iter().any(|change| finding.repeats(change)));
        };
        remove(&mut self.findings, &version.findings);
        remove(&mut self.known_findings, &version.known_findings);
    }
}
