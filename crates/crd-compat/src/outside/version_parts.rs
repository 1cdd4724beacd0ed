//! Subresources, selectable fields and printer columns of a version.

use serde_json::{Value, json};
use union_json::document::CrdVersion;

use super::outside_change::{OutsideChange, description_of};
use crate::report::finding::Level;

/// The change of a part of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartChange {
    Added,
    Removed,
    Changed,
}

/// A change of a part of a version, with its consequences.
struct PartRow {
    part: &'static str,
    name: &'static str,
    changes: &'static [PartChange],
    code: &'static str,
    level: Level,
    affected: &'static str,
    remedy: &'static str,
}

const PART_ROWS: [PartRow; 8] = [
    PartRow {
        part: "/subresources/status",
        name: "the subresource `status`",
        changes: &[PartChange::Added],
        code: "status-subresource-added",
        level: Level::Breaking,
        affected: "clients that write the status with the object: a server drops the status of a create, and keeps the stored status in an update, without an error; and clients that compare `metadata.generation`, which does not rise with the status any more",
        remedy: "let clients write the status with requests to `/status` before the subresource is added, and allow these requests in their roles",
    },
    PartRow {
        part: "/subresources/status",
        name: "the subresource `status`",
        changes: &[PartChange::Removed],
        code: "status-subresource-removed",
        level: Level::Breaking,
        affected: "clients that write the status with requests to `/status`, which get the error 404; clients that write the object, which now replace the status too; and clients that compare `metadata.generation`, which now rises with each write of the status",
        remedy: "keep the subresource",
    },
    PartRow {
        part: "/subresources/scale",
        name: "the subresource `scale`",
        changes: &[PartChange::Added],
        code: "scale-subresource-added",
        level: Level::Notice,
        affected: "objects with an invalid number of replicas, such as a negative number, which a server now refuses; HorizontalPodAutoscalers and `kubectl scale` may now change the number",
        remedy: "check that the paths lead to the numbers of replicas, and that the stored numbers are valid",
    },
    PartRow {
        part: "/subresources/scale",
        name: "the subresource `scale`",
        changes: &[PartChange::Removed],
        code: "scale-subresource-removed",
        level: Level::Breaking,
        affected: "HorizontalPodAutoscalers, PodDisruptionBudgets and `kubectl scale`, whose requests to `/scale` get the error 404",
        remedy: "keep the subresource",
    },
    PartRow {
        part: "/subresources/scale",
        name: "the subresource `scale`",
        changes: &[PartChange::Changed],
        code: "scale-subresource-changed",
        level: Level::Breaking,
        affected: "HorizontalPodAutoscalers, PodDisruptionBudgets and `kubectl scale`, which read and write other fields",
        remedy: "keep the paths of the subresource",
    },
    PartRow {
        part: "/selectableFields",
        name: "the list of selectable fields",
        changes: &[PartChange::Added],
        code: "selectable-field-added",
        level: Level::Notice,
        affected: "no client; clients that select by the new fields need a server with this CRD",
        remedy: "update the CRD before the clients",
    },
    PartRow {
        part: "/selectableFields",
        name: "the list of selectable fields",
        changes: &[PartChange::Removed, PartChange::Changed],
        code: "selectable-field-removed",
        level: Level::Breaking,
        affected: "clients that select objects by a removed field, whose requests are refused",
        remedy: "keep the selectable fields",
    },
    PartRow {
        part: "/additionalPrinterColumns",
        name: "the list of printer columns",
        changes: &[PartChange::Added, PartChange::Removed, PartChange::Changed],
        code: "printer-columns-changed",
        level: Level::Notice,
        affected: "scripts that read the output of `kubectl get`",
        remedy: "let scripts read `kubectl get -o json`",
    },
];

/// Returns the changes of the parts of a version.
pub(super) fn version_part_changes(old: CrdVersion<'_>, new: CrdVersion<'_>) -> Vec<OutsideChange> {
    let name = old.name().unwrap_or_default();
    let mut changes = Vec::new();
    for row in &PART_ROWS {
        let [old_part, new_part] = [old, new].map(|version| version.json().pointer(row.part));
        let change = change_of(row.part, old_part, new_part);
        if !change.is_some_and(|change| row.changes.contains(&change)) {
            continue;
        }
        let pointer = |version: CrdVersion<'_>, part: Option<&Value>| {
            let part = part.map_or("", |_| row.part);
            Some(format!("/spec/versions/{}{part}", version.index()))
        };
        changes.push(OutsideChange {
            code: row.code,
            level: row.level,
            identity: json!({"part": row.part, "version": name, "old": old_part, "new": new_part}),
            old_pointer: pointer(old, old_part),
            new_pointer: pointer(new, new_part),
            description: format!(
                "{} (version {name})",
                description_of(row.name, old_part, new_part)
            ),
            affected: row.affected,
            remedy: row.remedy,
        });
    }
    changes
}

/// Returns the change of a part; `None` if the part did not change. A list that only gets more
/// entries counts as added. The order of selectable fields does not matter.
fn change_of(part: &str, old: Option<&Value>, new: Option<&Value>) -> Option<PartChange> {
    match (old, new) {
        (Some(old), Some(new)) if old == new => None,
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            let is_kept = old.iter().all(|value| new.contains(value));
            let is_longer = new.iter().any(|value| !old.contains(value));
            match (is_kept, is_longer) {
                (true, true) => Some(PartChange::Added),
                (true, false) if part == "/selectableFields" => None,
                _ => Some(PartChange::Changed),
            }
        }
        (Some(_), Some(_)) => Some(PartChange::Changed),
        (None, Some(_)) => Some(PartChange::Added),
        (Some(_), None) => Some(PartChange::Removed),
        (None, None) => None,
    }
}
