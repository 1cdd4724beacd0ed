//! The names of the resource: `spec.names`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use union_json::document::Crd;

use super::outside_change::{OutsideChange, description_of};
use crate::report::finding::Level;

/// A name of the resource, with the consequences of its change.
struct NameField {
    field: &'static str,
    code: &'static str,
    level: Level,
    name: &'static str,
    affected: &'static str,
    remedy: &'static str,
}

const NAME_FIELDS: [NameField; 4] = [
    NameField {
        field: "kind",
        code: "kind-changed",
        level: Level::Breaking,
        name: "the kind",
        affected: "all objects and manifests, which contain the old kind: a server refuses the update of an established CRD",
        remedy: "keep the kind",
    },
    NameField {
        field: "plural",
        code: "plural-changed",
        level: Level::Breaking,
        name: "the plural name",
        affected: "all clients and roles, which contain the old name: a server refuses the update, because another plural name is another CRD",
        remedy: "keep the plural name",
    },
    NameField {
        field: "singular",
        code: "singular-changed",
        level: Level::Notice,
        name: "the singular name",
        affected: "scripts that call kubectl with the old singular name; requests, roles and stored objects do not contain the name",
        remedy: "keep the singular name, or add the old name to `shortNames`",
    },
    NameField {
        field: "listKind",
        code: "list-kind-changed",
        level: Level::Breaking,
        name: "the kind of lists",
        affected: "clients that read lists and check their `kind`, such as clients with generated types: a list has the new kind",
        remedy: "keep the kind of lists",
    },
];

/// A list of names, with the consequences of additions and removals.
struct NameList {
    field: &'static str,
    name: &'static str,
    added: [&'static str; 3],
    removed: [&'static str; 3],
}

/// The codes, the affected clients and the remedies.
const NAME_LISTS: [NameList; 2] = [
    NameList {
        field: "shortNames",
        name: "the short name",
        added: [
            "short-name-added",
            "users of kubectl who mean another resource by this name; if another resource of the group has the name, a server does not accept the name, and reports the conflict in the condition `NamesAccepted`",
            "check with `kubectl api-resources` that no other resource has the name",
        ],
        removed: [
            "short-name-removed",
            "scripts that call kubectl with the name",
            "keep the name",
        ],
    },
    NameList {
        field: "categories",
        name: "the category",
        added: [
            "category-added",
            "users of kubectl who get or delete all objects of the category, to which the objects of this kind now belong",
            "check that `kubectl delete` with the category may delete the objects",
        ],
        removed: [
            "category-removed",
            "scripts that call kubectl with the category, which then leaves out the objects of this kind",
            "keep the category",
        ],
    },
];

/// Returns the changes of the names.
pub(super) fn name_changes(old: Crd<'_>, new: Crd<'_>) -> Vec<OutsideChange> {
    let mut changes = Vec::new();
    for name_field in &NAME_FIELDS {
        changes.extend(name_change(old, new, name_field));
    }
    for list in &NAME_LISTS {
        let [old_names, new_names] = [old, new].map(|crd| {
            let names = crd.json().pointer(&pointer(list.field));
            names
                .and_then(Value::as_array)
                .map(Vec::as_slice)
                .unwrap_or_default()
        });
        let [old_set, new_set] = [old_names, new_names].map(|names| {
            let names = names.iter().filter_map(Value::as_str);
            names.collect::<BTreeSet<_>>()
        });
        for name in old_set.difference(&new_set) {
            changes.push(list_change(list, name, [true, false]));
        }
        for name in new_set.difference(&old_set) {
            changes.push(list_change(list, name, [false, true]));
        }
    }
    changes
}

fn pointer(field: &str) -> String {
    format!("/spec/names/{field}")
}

fn name_change(old: Crd<'_>, new: Crd<'_>, name_field: &NameField) -> Option<OutsideChange> {
    let pointer = pointer(name_field.field);
    let [old_value, new_value] = [old, new].map(|crd| crd.json().pointer(&pointer));
    // A server derives an absent name from the kind. The change of the kind has its own finding.
    let [old_name, new_name] = [(old, old_value), (new, new_value)].map(|(crd, value)| {
        value
            .cloned()
            .or_else(|| derived_name(crd, name_field.field))
    });
    if old_name == new_name || old_value.is_none() && new_value.is_none() {
        return None;
    }
    Some(OutsideChange {
        code: name_field.code,
        level: name_field.level,
        identity: json!({"part": pointer, "old": old_name, "new": new_name}),
        description: description_of(name_field.name, old_name.as_ref(), new_name.as_ref()),
        old_pointer: old_value.map(|_| pointer.clone()),
        new_pointer: new_value.map(|_| pointer),
        affected: name_field.affected,
        remedy: name_field.remedy,
    })
}

/// Returns the name that a server sets if the field is absent.
fn derived_name(crd: Crd<'_>, field: &str) -> Option<Value> {
    let kind = crd.kind()?;
    match field {
        "singular" => Some(json!(kind.to_lowercase())),
        "listKind" => Some(json!(format!("{kind}List"))),
        _ => None,
    }
}

/// Returns the change of a list that contains a name before or after.
fn list_change(list: &NameList, name: &str, [is_old, is_new]: [bool; 2]) -> OutsideChange {
    let (verb, [code, affected, remedy]) = if is_new {
        ("added", list.added)
    } else {
        ("removed", list.removed)
    };
    let pointer = pointer(list.field);
    OutsideChange {
        code,
        level: Level::Notice,
        identity: json!({"part": pointer, "name": name}),
        old_pointer: is_old.then(|| pointer.clone()),
        new_pointer: is_new.then_some(pointer),
        description: format!("{} {name:?} was {verb}", list.name),
        affected,
        remedy,
    }
}
