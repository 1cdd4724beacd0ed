//! Rules for updates of a CRD: immutable fields, accepted names and stored versions.

use serde_json::Value;

use super::definition::{CrdDefinition, CrdNames};
use super::names::{self, Presence};
use crate::metadata::meta::ObjectFields;
use crate::schema::crd_path::CrdPath;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks that immutable fields are unchanged. The scope and the kind are immutable once the CRD is
/// established.
pub(super) fn check_immutable(
    new: &CrdDefinition<'_>,
    old: &CrdDefinition<'_>,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let names_path = path.field("names");
    let is_established = is_established(old);
    for (field_path, new_value, old_value, is_immutable) in [
        (path.field("group"), new.group, old.group, true),
        (path.field("scope"), new.scope, old.scope, is_established),
        (
            names_path.field("kind"),
            new.names.kind,
            old.names.kind,
            is_established,
        ),
        (
            names_path.field("plural"),
            new.names.plural,
            old.names.plural,
            true,
        ),
    ] {
        if is_immutable && new_value != old_value {
            let bad_value = BadValue::Quoted(new_value.to_owned());
            errors.push(field_path.violation(
                ViolationKind::Invalid,
                bad_value,
                "field is immutable",
            ));
        }
    }
}

/// Returns true if the CRD is established: the API serves its objects. If the status has several
/// conditions of type `Established`, the first condition counts.
pub(super) fn is_established(crd: &CrdDefinition<'_>) -> bool {
    let mut conditions = crd.status.list("conditions").iter();
    let condition = conditions.find(|condition| {
        let fields = ObjectFields::new(Some(condition));
        fields.string("type") == "Established"
    });
    ObjectFields::new(condition).string("status") == "True"
}

/// Checks `status.acceptedNames` of the stored CRD.
pub(super) fn check_accepted_names(old: &CrdDefinition<'_>, errors: &mut Vec<Violation>) {
    let accepted_names = CrdNames::from_fields(old.status.object("acceptedNames"));
    let path = FieldPath::from(["status", "acceptedNames"]);
    let path = CrdPath::root(&path);
    names::check_names(&accepted_names, Presence::Optional, &path, errors);
}

/// Returns the versions in which objects are stored: the versions in the status of the stored CRD,
/// and the current storage version.
pub(super) fn stored_versions<'v>(
    new: &CrdDefinition<'v>,
    old: Option<&CrdDefinition<'v>>,
) -> Option<Vec<&'v str>> {
    let mut stored = old.and_then(previously_stored);
    let mut versions = new.versions().iter();
    if let Some(version) = versions.find(|version| version.is_storage) {
        let stored = stored.get_or_insert_default();
        if !stored.contains(&version.name) {
            stored.push(version.name);
        }
    }
    stored
}

/// Returns the stored versions of a stored CRD: the versions in its status or, if that list is
/// empty, the storage version.
fn previously_stored<'v>(old: &CrdDefinition<'v>) -> Option<Vec<&'v str>> {
    let status_versions = old.status.optional_list("storedVersions");
    let stored: Vec<&str> = status_versions
        .unwrap_or_default()
        .iter()
        .map(string_or_empty)
        .collect();
    if !stored.is_empty() {
        return Some(stored);
    }
    let mut versions = old.versions().iter();
    let storage = versions.find(|version| version.is_storage);
    storage
        .map(|version| vec![version.name])
        .or(status_versions.map(|_| stored))
}

fn string_or_empty(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
