//! Writes the listed unions as the value of a CRD annotation, which `union-json` reads.

use crd_unions::{Union, UnionModel};
use serde_json::{Map, Value, json};

use super::model::{ListedKind, ListedObject, Listing};
use crate::error::CommandError;
use crate::judge::inferred_unions;
use union_json::pointer::escape;

/// Returns the value of the annotation, and notes on what the annotation cannot express.
pub(super) fn annotation_value(listing: &Listing) -> Result<(String, Vec<String>), CommandError> {
    let [kind] = &*listing.kinds else {
        let message = format!(
            "found {} kinds, but an annotation is for one kind; select one with --name",
            listing.kinds.len()
        );
        return Err(CommandError::new(listing.file.as_str(), message));
    };
    if kind.group.is_none() {
        let message = "an annotation needs a CustomResourceDefinition; pass one to --crd";
        return Err(CommandError::new(listing.file.as_str(), message));
    }
    let (value, notes) = unions_by_version(kind);
    Ok((format!("{value}\n"), notes))
}

fn unions_by_version(kind: &ListedKind) -> (Value, Vec<String>) {
    let mut notes = Vec::new();
    let mut versions = Map::new();
    for version in &kind.versions {
        let mut extensions = Map::new();
        for object in &version.objects {
            if !object.declared_unions.is_empty() {
                let path = inferred_unions::display_path(&object.path);
                notes.push(format!(
                    "{path}: left out: the unions that the CRD declares here; keep their declaration if you replace the annotation"
                ));
            }
            add_object(object, &mut extensions, &mut notes);
        }
        for name in &version.names {
            if !extensions.is_empty() {
                versions.insert(name.clone(), extensions.clone().into());
            }
        }
    }
    (versions.into(), notes)
}

/// Adds the unions of an object to the extensions of the annotation, which have the JSON pointer of
/// a discriminator or an object as their key.
fn add_object(object: &ListedObject, extensions: &mut Map<String, Value>, notes: &mut Vec<String>) {
    let mut object_unions = Vec::new();
    let mut used_fields: Vec<&str> = Vec::new();
    let unions = object.analysis.unions.iter();
    for union in unions.filter(|union| union.is_trusted()) {
        let is_declared = object
            .declared_unions
            .iter()
            .any(|declared| declared.shares_field_with(union));
        if is_declared {
            continue;
        }
        let path = inferred_unions::display_path(&object.path);
        let mut add_note = |reason: &str| {
            notes.push(format!(
                "{path}: {}: {reason}",
                inferred_unions::union_name(union)
            ));
        };
        let discriminator = union.discriminator.as_ref();
        let field_names = union.members.iter().map(|member| &*member.name);
        let field_names: Vec<&str> = field_names
            .chain(discriminator.map(|discriminator| &*discriminator.name))
            .collect();
        if field_names.iter().any(|name| used_fields.contains(name)) {
            add_note(
                "left out: a field is also in another union, and the annotation allows a field in only one",
            );
            continue;
        }
        match (discriminator, union.arity) {
            (Some(discriminator), UnionModel::Discriminated) if discriminator.open => {
                add_note(
                    "left out: its discriminator accepts any string, but the annotation must list all values",
                );
                continue;
            }
            (Some(discriminator), UnionModel::Discriminated) => {
                let name = escape(&discriminator.name);
                let pointer = format!("{}/properties/{name}", object.pointer);
                extensions.insert(pointer, union_2022(union, &discriminator.empty_members));
            }
            (discriminator, arity) => {
                if arity == UnionModel::ExactlyOne {
                    add_note(
                        "the annotation can only express \"at most one\"; the rules check the rest",
                    );
                }
                object_unions.push(union_2019(
                    union,
                    discriminator.map(|discriminator| &*discriminator.name),
                ));
            }
        }
        used_fields.extend(field_names);
    }
    if !object_unions.is_empty() {
        extensions.insert(object.pointer.clone(), object_unions.into());
    }
}

/// Returns a union in the 2022 format.
fn union_2022(union: &Union, empty_members: &[String]) -> Value {
    let mut members = Map::new();
    for member in &union.members {
        let entry = json!({"name": member.name, "optional": member.optional});
        members.insert(member.value.clone(), entry);
    }
    for value in empty_members {
        members.insert(value.clone(), Value::Null);
    }
    json!({"fieldMembers": members})
}

/// Returns a union in the 2019 format.
fn union_2019(union: &Union, discriminator: Option<&str>) -> Value {
    let members = union.members.iter();
    let members = members.map(|member| (member.name.clone(), member.value.clone().into()));
    let mut entry = Map::new();
    if let Some(discriminator) = discriminator {
        entry.insert("discriminator".to_owned(), discriminator.into());
    }
    let members: Map<String, Value> = members.collect();
    entry.insert("fields-to-discriminateBy".to_owned(), members.into());
    entry.into()
}
