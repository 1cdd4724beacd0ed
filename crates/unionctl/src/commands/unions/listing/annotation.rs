//! The unions as the value of the annotation of a CRD, which the engine reads.

use crd_unions::{Union, UnionModel};
use serde_json::{Map, Value, json};

use super::model::{ListedKind, ListedObject, Listing};
use crate::error::CommandError;
use crate::judge::inferred_unions;
use union_json::pointer::escape;

/// Returns the value, and notes on facts that it does not contain.
pub(super) fn annotation_value(listing: &Listing) -> Result<(String, Vec<String>), CommandError> {
    let [kind] = &*listing.kinds else {
        let text = format!(
            "found {} kinds, but an annotation is for one kind; select one with --name",
            listing.kinds.len()
        );
        return Err(CommandError::new(listing.file.as_str(), text));
    };
    if kind.group.is_none() {
        let text = "an annotation needs a CustomResourceDefinition; pass one to --crd";
        return Err(CommandError::new(listing.file.as_str(), text));
    }
    let (value, notes) = kind_value(kind);
    Ok((format!("{value}\n"), notes))
}

fn kind_value(kind: &ListedKind) -> (Value, Vec<String>) {
    let mut notes = Vec::new();
    let mut versions = Map::new();
    for version in &kind.versions {
        let mut extensions = Map::new();
        for place in &version.objects {
            add_object(place, &mut extensions, &mut notes);
        }
        for name in &version.names {
            if !extensions.is_empty() {
                versions.insert(name.clone(), extensions.clone().into());
            }
        }
    }
    (versions.into(), notes)
}

/// Adds the unions of a place.
fn add_object(place: &ListedObject, extensions: &mut Map<String, Value>, notes: &mut Vec<String>) {
    let mut of_object = Vec::new();
    let mut fields: Vec<&str> = Vec::new();
    for union in place
        .reading
        .unions
        .iter()
        .filter(|union| union.is_trusted())
    {
        let goes_before = place
            .declared
            .iter()
            .any(|declared| declared.shares_field_with(union));
        if goes_before {
            continue;
        }
        let at = inferred_unions::display_path(&place.path);
        let mut say = |why: &str| {
            notes.push(format!(
                "{at}: {}: {why}",
                inferred_unions::union_name(union)
            ));
        };
        let discriminator = union.discriminator.as_ref();
        let names = union.members.iter().map(|member| &*member.name);
        let names: Vec<&str> = names.chain(discriminator.map(|of| &*of.name)).collect();
        if names.iter().any(|name| fields.contains(name)) {
            say(
                "left out: a field is also in another union, and the annotation allows a field in only one",
            );
            continue;
        }
        match (discriminator, union.arity) {
            (Some(discriminator), UnionModel::Discriminated) if discriminator.open => {
                say(
                    "left out: its discriminator accepts any string, but the annotation must list all values",
                );
                continue;
            }
            (Some(discriminator), UnionModel::Discriminated) => {
                let name = escape(&discriminator.name);
                let pointer = format!("{}/properties/{name}", place.pointer);
                extensions.insert(pointer, union_2022(union, &discriminator.empty_members));
            }
            (discriminator, arity) => {
                if arity == UnionModel::ExactlyOne {
                    say(
                        "the annotation can only express \"at most one\"; the rules check the rest",
                    );
                }
                of_object.push(union_2019(union, discriminator.map(|of| &*of.name)));
            }
        }
        fields.extend(names);
    }
    if !of_object.is_empty() {
        extensions.insert(place.pointer.clone(), of_object.into());
    }
}

/// Returns a union in the format of 2022.
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

/// Returns a union in the format of 2019.
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
