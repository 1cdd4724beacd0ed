//! Versions that are removed, not served any more, or deprecated.

use serde_json::{Value, json};
use union_json::document::{Crd, CrdVersion};

use super::outside_change::OutsideChange;
use super::stored_versions::stored_versions;
use super::version_parts::version_part_changes;
use crate::report::finding::Level;

/// Returns the changes of the versions of the old CRD.
pub(super) fn version_changes(old: Crd<'_>, new: Crd<'_>) -> Vec<OutsideChange> {
    let mut changes = Vec::new();
    for old_version in old.versions() {
        let name = old_version.name().unwrap_or_default();
        match new.version(name) {
            None => changes.push(removal(old, old_version)),
            Some(new_version) => {
                changes.extend(serving_changes(old_version, new_version));
                changes.extend(version_part_changes(old_version, new_version));
            }
        }
    }
    changes
}

fn version_pointer(version: CrdVersion<'_>) -> String {
    format!("/spec/versions/{}", version.index())
}

fn removal(old: Crd<'_>, version: CrdVersion<'_>) -> OutsideChange {
    let name = version.name().unwrap_or_default();
    let is_stored = stored_versions(old).iter().any(|stored| stored == name);
    let is_served = version.served() != Some(false);
    OutsideChange {
        code: "version-removed",
        level: if is_served || is_stored {
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

fn serving_changes(old: CrdVersion<'_>, new: CrdVersion<'_>) -> Vec<OutsideChange> {
    let name = old.name().unwrap_or_default();
    let mut changes = Vec::new();
    if old.served() != Some(false) && new.served() == Some(false) {
        changes.push(OutsideChange {
            code: "version-not-served",
            level: Level::Breaking,
            identity: json!({"part": "/served", "version": name}),
            old_pointer: Some(format!("{}/served", version_pointer(old))),
            new_pointer: Some(format!("{}/served", version_pointer(new))),
            description: format!("the version {name} is not served any more"),
            affected: "clients and manifests of the version",
            remedy: "deprecate the version, and stop serving it when no client uses it",
        });
    }
    let is_deprecated =
        |version: CrdVersion<'_>| version.json().get("deprecated") == Some(&Value::Bool(true));
    if !is_deprecated(old) && is_deprecated(new) {
        changes.push(OutsideChange {
            code: "version-deprecated",
            level: Level::Notice,
            identity: json!({"part": "/deprecated", "version": name}),
            old_pointer: Some(version_pointer(old)),
            new_pointer: Some(format!("{}/deprecated", version_pointer(new))),
            description: format!("the version {name} is deprecated"),
            affected: "clients of the version, which get a warning",
            remedy: "name the replacement in `deprecationWarning`",
        });
    }
    changes
}
