//! Parts of the spec that are compared as a whole.

use serde_json::{Value, json};
use union_json::document::Crd;

use super::outside_change::{OutsideChange, description_of};
use crate::report::finding::Level;

/// A part of the spec, with the consequences of its change.
struct SpecPart {
    pointer: &'static str,
    code: &'static str,
    level: Level,
    name: &'static str,
    affected: &'static str,
    remedy: &'static str,
}

const SPEC_PARTS: [SpecPart; 3] = [
    SpecPart {
        pointer: "/spec/scope",
        code: "scope-changed",
        level: Level::Breaking,
        name: "the scope",
        affected: "all objects and clients: a server refuses the update of an established CRD, and deleting the CRD to create it again deletes all objects",
        remedy: "create a CRD with another group or kind, and move the objects",
    },
    SpecPart {
        pointer: "/spec/group",
        code: "group-changed",
        level: Level::Breaking,
        name: "the group",
        affected: "all objects and clients: another group is another CRD",
        remedy: "serve both CRDs until all objects are moved",
    },
    SpecPart {
        pointer: "/spec/conversion",
        code: "conversion-changed",
        level: Level::Notice,
        name: "the conversion",
        affected: "requests for a version that is not the storage version",
        remedy: "check that the webhook converts the stored objects of each version",
    },
];

/// The pointer of the field with which a CRD keeps unknown fields everywhere.
pub(super) const PRESERVE_UNKNOWN_FIELDS: &str = "/spec/preserveUnknownFields";

/// Returns the changes of the parts of the spec.
pub(super) fn spec_part_changes(old: Crd<'_>, new: Crd<'_>) -> Vec<OutsideChange> {
    let mut changes = Vec::new();
    for part in &SPEC_PARTS {
        let [old_value, new_value] = [old, new].map(|crd| crd.json().pointer(part.pointer));
        if value_or_default(part.pointer, old_value) != value_or_default(part.pointer, new_value) {
            changes.push(OutsideChange {
                code: part.code,
                level: part.level,
                identity: json!({"part": part.pointer, "old": old_value, "new": new_value}),
                old_pointer: old_value.map(|_| part.pointer.to_owned()),
                new_pointer: new_value.map(|_| part.pointer.to_owned()),
                description: description_of(part.name, old_value, new_value),
                affected: part.affected,
                remedy: part.remedy,
            });
        }
    }
    changes.extend(preserve_unknown_fields_change(old, new));
    changes
}

/// Returns the value of a part, or the value that an absent part means.
fn value_or_default(pointer: &str, value: Option<&Value>) -> Value {
    let default = match pointer {
        "/spec/conversion" => json!({"strategy": "None"}),
        _ => Value::Null,
    };
    value.cloned().unwrap_or(default)
}

/// Returns the change of `preserveUnknownFields`. In `apiextensions.k8s.io/v1`, the field may only
/// be true if a stored CRD has it, from the time of `v1beta1`.
fn preserve_unknown_fields_change(old: Crd<'_>, new: Crd<'_>) -> Option<OutsideChange> {
    let [old_value, new_value] = [old, new].map(|crd| crd.json().pointer(PRESERVE_UNKNOWN_FIELDS));
    let is_true = |value: Option<&Value>| value == Some(&Value::Bool(true));
    let (description, affected, remedy) = match [is_true(old_value), is_true(new_value)] {
        [true, false] => (
            "`preserveUnknownFields` is not true any more",
            "stored objects with fields that no schema describes: a server drops the fields when it reads the objects, and the next write removes them from storage",
            "describe the fields in the schemas first, or set `x-kubernetes-preserve-unknown-fields: true` where they are",
        ),
        [false, true] => (
            "`preserveUnknownFields` is now true",
            "the installation of the new CRD: a server of `apiextensions.k8s.io/v1` refuses to create a CRD with this value, and to set the value in an update; only a CRD that is stored with the value may keep it",
            "remove the field, and set `x-kubernetes-preserve-unknown-fields: true` in the schemas",
        ),
        _ => return None,
    };
    Some(OutsideChange {
        code: "preserve-unknown-fields-changed",
        level: Level::Breaking,
        identity: json!({
            "part": PRESERVE_UNKNOWN_FIELDS, "old": is_true(old_value), "new": is_true(new_value),
        }),
        old_pointer: old_value.map(|_| PRESERVE_UNKNOWN_FIELDS.to_owned()),
        new_pointer: new_value.map(|_| PRESERVE_UNKNOWN_FIELDS.to_owned()),
        description: description.to_owned(),
        affected,
        remedy,
    })
}
