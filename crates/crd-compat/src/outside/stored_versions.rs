//! The versions in which a cluster stores objects.

use serde_json::{Value, json};
use union_json::document::{Crd, CrdVersion};

use super::outside_change::OutsideChange;
use crate::report::finding::Level;

/// The pointer of the versions in which objects may be stored.
pub(super) const STORED_VERSIONS: &str = "/status/storedVersions";

/// Returns the names of the versions in which objects of a CRD may be stored: the versions that a
/// server lists in the status or, for a CRD without them, the storage version.
pub(super) fn stored_versions(crd: Crd<'_>) -> Vec<String> {
    let listed = crd.json().pointer(STORED_VERSIONS);
    let listed = listed.and_then(Value::as_array).into_iter().flatten();
    let listed: Vec<String> = listed
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    if listed.is_empty() {
        let storage = crd.stored_version().and_then(CrdVersion::name);
        return storage.map(str::to_owned).into_iter().collect();
    }
    listed
}

/// Returns the removals of stored versions, and the change of the storage version.
pub(super) fn stored_version_changes(old: Crd<'_>, new: Crd<'_>) -> Vec<OutsideChange> {
    let has_status = old.json().pointer(STORED_VERSIONS).is_some();
    let stored = stored_versions(old);
    let removed = stored.iter().filter(|name| new.version(name).is_none());
    let mut changes: Vec<OutsideChange> = removed
        .map(|name| OutsideChange {
            code: "stored-version-removed",
            level: Level::Breaking,
            identity: json!({"part": STORED_VERSIONS, "version": name}),
            old_pointer: has_status.then(|| STORED_VERSIONS.to_owned()),
            new_pointer: Some("/spec/versions".to_owned()),
            description: if has_status {
                format!("objects may be stored in the version {name}, which the new CRD does not have")
            } else {
                format!("the storage version {name} was removed")
            },
            affected: "the installation of the new CRD: a server refuses the update while `status.storedVersions` lists the version",
            remedy: "keep the version (`served: false`) until all objects are written in another version, and remove it from `status.storedVersions`",
        })
        .collect();
    let [old_name, new_name] = [old, new].map(|crd| crd.stored_version()?.name());
    if let (Some(old_name), Some(new_name)) = (old_name, new_name)
        && old_name != new_name
    {
        changes.push(OutsideChange {
            code: "storage-version-changed",
            level: Level::Notice,
            identity: json!({"part": "storage", "old": old_name, "new": new_name}),
            old_pointer: Some("/spec/versions".to_owned()),
            new_pointer: Some("/spec/versions".to_owned()),
            description: format!("the storage version was {old_name}, and is now {new_name}"),
            affected: "stored objects, which stay in the old version until they are written",
            remedy: "write all objects once (storage version migration) before the old version is removed",
        });
    }
    changes
}
