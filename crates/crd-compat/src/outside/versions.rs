//! Versions that are removed, not served any more, or deprecated.

use serde_json::{Value, json};
use union_json::document::{Crd, CrdVersion};

use super::outside_change::OutsideChange;
use super::version_parts::version_part_changes;
use crate::report::finding::Level;

/// Returns the changes of the versions of the old CRD.
pub(super) fn version_changes(old: Crd<'_>, new: Crd<'_>) -> Vec<OutsideChange> {
    let mut changes = Vec::new();
    for old_version in old.versions() {
        let name = old_version.name().unwrap_or_default();
        match new.version(name) {
            None => changes.push(removal(old_version)),
            Some(new_version) => match (is_served(&old_version), is_served(&new_version)) {
                (true, true) => {
                    changes.extend(deprecation(old_version, new_version));
                    changes.extend(version_part_changes(old_version, new_version));
                }
                (true, false) => changes.push(end_of_serving(old_version, new_version)),
                // A version that was not served had no clients, who could notice a change.
                (false, _) => {}
            },
        }
    }
    changes
}

/// Returns true if a server serves the version. A version without `served` counts as served.
pub(crate) fn is_served(version: &CrdVersion<'_>) -> bool {
    version.served() != Some(false)
}

fn version_pointer(version: CrdVersion<'_>) -> String {
    format!("/spec/versions/{}", version.index())
}

/// Returns the removal of a version. If objects may be stored in the version, the removal has
/// another finding.
fn removal(version: CrdVersion<'_>) -> OutsideChange {
    let name = version.name().unwrap_or_default();
    let is_served = is_served(&version);
    OutsideChange {
        code: "version-removed",
        level: if is_served {
            Level::Breaking
        } else {
            Level::Notice
        },
        identity: json!({"part": "/spec/versions", "version": name}),
        old_pointer: Some(version_pointer(version)),
        new_pointer: None,
        description: format!("the version {name} was removed"),
        affected: if is_served {
            "clients and manifests of the version"
        } else {
            "no client, because the version was not served"
        },
        remedy: "stop serving the version first (`served: false`), migrate the stored objects, remove the version from `status.storedVersions`, and then remove the version",
    }
}

fn end_of_serving(old: CrdVersion<'_>, new: CrdVersion<'_>) -> OutsideChange {
    let name = old.name().unwrap_or_default();
    OutsideChange {
        code: "version-not-served",
        level: Level::Breaking,
        identity: json!({"part": "/served", "version": name}),
        old_pointer: Some(format!("{}/served", version_pointer(old))),
        new_pointer: Some(format!("{}/served", version_pointer(new))),
        description: format!("the version {name} is not served any more"),
        affected: "clients and manifests of the version",
        remedy: "deprecate the version, and stop serving it when no client uses it",
    }
}

fn deprecation(old: CrdVersion<'_>, new: CrdVersion<'_>) -> Option<OutsideChange> {
    let name = old.name().unwrap_or_default();
    let is_deprecated =
        |version: CrdVersion<'_>| version.json().get("deprecated") == Some(&Value::Bool(true));
    (!is_deprecated(old) && is_deprecated(new)).then(|| OutsideChange {
        code: "version-deprecated",
        level: Level::Notice,
        identity: json!({"part": "/deprecated", "version": name}),
        old_pointer: Some(version_pointer(old)),
        new_pointer: Some(format!("{}/deprecated", version_pointer(new))),
        description: format!("the version {name} is deprecated"),
        affected: "clients of the version, which get a warning",
        remedy: "name the replacement in `deprecationWarning`",
    })
}
