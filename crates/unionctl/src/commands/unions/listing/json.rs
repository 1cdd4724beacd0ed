//! The listing as JSON, which contains everything that was read.

use crd_unions::{ObjectAnalysis, Union};
use serde_json::{Map, Value, json};

use super::declared::DeclaredUnion;
use super::finding::ListedFinding;
use super::model::{ListedKind, ListedObject, ListedVersion, Listing};

pub(super) fn listing_json(listing: &Listing) -> Value {
    let kinds: Vec<Value> = listing.kinds.iter().map(of_kind).collect();
    let strong = listing
        .findings()
        .filter(|remark| remark.is_strong())
        .count();
    let all = listing.findings().count();
    json!({
        "file": listing.file,
        "kinds": kinds,
        "findings": {"strong": strong, "weak": all - strong},
    })
}

fn of_kind(kind: &ListedKind) -> Value {
    let versions: Vec<Value> = kind.versions.iter().map(of_version).collect();
    json!({"kind": kind.name, "group": kind.group, "versions": versions})
}

fn of_version(version: &ListedVersion) -> Value {
    let places: Vec<Value> = version.objects.iter().map(of_place).collect();
    json!({"names": version.names, "places": places, "lists": version.lists, "differs": version.differing_paths})
}

fn of_place(place: &ListedObject) -> Value {
    let mut json = match object_unions_json(place) {
        Value::Object(json) => json,
        _ => Map::new(),
    };
    json.insert("path".to_owned(), place.path.clone().into());
    json.insert("pointer".to_owned(), place.pointer.clone().into());
    let findings: Vec<Value> = place.findings.iter().map(ListedFinding::to_json).collect();
    json.insert("findings".to_owned(), findings.into());
    Value::Object(json)
}

/// Returns the unions of a place, without its path and pointer.
pub(super) fn object_unions_json(place: &ListedObject) -> Value {
    let reading = &place.reading;
    let mut json = json!(reading);
    if let Some(json) = json.as_object_mut() {
        let unions: Vec<Value> = reading
            .unions
            .iter()
            .map(|union| inferred_union_json(reading, union))
            .collect();
        json.insert("unions".to_owned(), unions.into());
        if !reading.exclusions.is_empty() {
            json.insert("exclusions".to_owned(), json!(reading.exclusions));
        }
        if !reading.alternative_field_sets.is_empty() {
            json.insert("bundles".to_owned(), json!(reading.alternative_field_sets));
        }
        if !place.declared.is_empty() {
            let declared: Vec<Value> = place.declared.iter().map(of_declared).collect();
            json.insert("declared".to_owned(), declared.into());
        }
    }
    json
}

fn inferred_union_json(reading: &ObjectAnalysis, union: &Union) -> Value {
    let texts = |rules: &[usize]| -> Vec<String> {
        let rules = rules.iter().filter_map(|rule| reading.rules.get(*rule));
        rules.map(|rule| rule.source.clone()).collect()
    };
    let mut json = json!(union);
    if let Some(json) = json.as_object_mut() {
        json.insert("sound".to_owned(), union.is_sound().into());
        json.insert(
            "stands_for".to_owned(),
            texts(&union.replaceable_rules).into(),
        );
        json.insert("left_over".to_owned(), texts(&union.remaining_rules).into());
    }
    json
}

fn of_declared(declared: &DeclaredUnion) -> Value {
    let members = declared.members.iter();
    let members = members
        .map(|(value, name, optional)| json!({"name": name, "value": value, "optional": optional}));
    json!({
        "discriminator": declared.discriminator,
        "members": members.collect::<Vec<_>>(),
        "empty_members": declared.empty_members,
    })
}
