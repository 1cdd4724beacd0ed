//! The immutable fields of a CRD, and the state in the status of the stored CRD.

use serde_json::Value;

use super::definition::{CrdDefinition, CrdNames};
use super::names::{self, Presence};
use crate::metadata::meta::Fields;
use crate::schema::crd_path::CrdPath;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks that immutable fields are unchanged.
pub(super) fn check_immutable(
    new: &CrdDefinition<'_>,
    old: &CrdDefinition<'_>,
    at: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    let at_names = at.field("names");
    let is_established = is_established(old);
    for (place, new, old, is_fixed) in [
        (at.field("group"), new.group, old.group, true),
        (at.field("scope"), new.scope, old.scope, is_established),
        (
            at_names.field("kind"),
            new.names.kind,
            old.names.kind,
            is_established,
        ),
        (
            at_names.field("plural"),
            new.names.plural,
            old.names.plural,
            true,
        ),
    ] {
        if is_fixed && new != old {
            let found = BadValue::Quoted(new.to_owned());
            errors.push(place.violation(ViolationKind::Invalid, found, "field is immutable"));
        }
    }
}

/// Returns true if the CRD is established, so that objects can be created. If several conditions
/// have this type, the first decides.
pub(super) fn is_established(crd: &CrdDefinition<'_>) -> bool {
    let mut conditions = crd.status.list("conditions").iter();
    let condition = conditions.find(|condition| {
        let of = Fields::new(Some(condition));
        of.string("type") == "Established"
    });
    Fields::new(condition).string("status") == "True"
}

/// Checks the names that a server has accepted.
pub(super) fn check_accepted_names(old: &CrdDefinition<'_>, errors: &mut Vec<Violation>) {
    let accepted = CrdNames::from_fields(old.status.object("acceptedNames"));
    let path = FieldPath::from(["status", "acceptedNames"]);
    let at = CrdPath::root(&path);
    names::check_names(&accepted, Presence::Optional, &at, errors);
}

/// Returns the versions in which objects are stored: the versions in the status of the stored CRD,
/// and the current storage version.
pub(super) fn stored_versions<'v>(
    new: &CrdDefinition<'v>,
    old: Option<&CrdDefinition<'v>>,
) -> Option<Vec<&'v str>> {
    let mut stored = old.and_then(stored_already);
    let mut versions = new.versions().iter();
    if let Some(version) = versions.find(|version| version.is_storage) {
        let stored = stored.get_or_insert_default();
        if !stored.contains(&version.name) {
            stored.push(version.name);
        }
    }
    stored
}

/// Returns the stored versions of a stored CRD. If its status has none, the storage version is the
/// only one.
fn stored_already<'v>(old: &CrdDefinition<'v>) -> Option<Vec<&'v str>> {
    let said = old.status.optional_list("storedVersions");
    let stored: Vec<&str> = said
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
        .or(said.map(|_| stored))
}

fn string_or_empty(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
