//! The listing as JSON, which contains all results of the analysis.

use crd_unions::{ObjectAnalysis, Union};
use serde_json::{Map, Value, json};

use super::declared::DeclaredUnion;
use super::finding::ListedFinding;
use super::model::{ListedKind, ListedObject, ListedVersion, Listing};

pub(super) fn listing_json(listing: &Listing) -> Value {
    let kinds: Vec<Value> = listing.kinds.iter().map(kind_json).collect();
    let strong_count = listing
        .findings()
        .filter(|finding| finding.is_strong())
        .count();
    let finding_count = listing.findings().count();
    json!({
        "file": listing.file,
        "kinds": kinds,
        "findings": {"strong": strong_count, "weak": finding_count - strong_count},
    })
}

fn kind_json(kind: &ListedKind) -> Value {
    let versions: Vec<Value> = kind.versions.iter().map(version_json).collect();
    json!({"kind": kind.name, "group": kind.group, "versions": versions})
}

fn version_json(version: &ListedVersion) -> Value {
    let objects: Vec<Value> = version.objects.iter().map(object_json).collect();
    json!({"names": version.names, "places": objects, "lists": version.lists, "differs": version.differing_paths})
}

fn object_json(object: &ListedObject) -> Value {
    let mut json = match object_unions_json(object) {
        Value::Object(json) => json,
        _ => Map::new(),
    };
    json.insert("path".to_owned(), object.path.clone().into());
    json.insert("pointer".to_owned(), object.pointer.clone().into());
    let findings: Vec<Value> = object.findings.iter().map(ListedFinding::to_json).collect();
    json.insert("findings".to_owned(), findings.into());
    Value::Object(json)
}

/// Returns the unions of an object, without the path and the pointer of the object.
pub(super) fn object_unions_json(object: &ListedObject) -> Value {
    let analysis = &object.analysis;
    let mut json = json!(analysis);
    if let Some(json) = json.as_object_mut() {
        let unions: Vec<Value> = analysis
            .unions
            .iter()
            .map(|union| inferred_union_json(analysis, union))
            .collect();
        json.insert("unions".to_owned(), unions.into());
        if !analysis.exclusions.is_empty() {
            json.insert("exclusions".to_owned(), json!(analysis.exclusions));
        }
        if !analysis.alternative_field_sets.is_empty() {
            json.insert("bundles".to_owned(), json!(analysis.alternative_field_sets));
        }
        if !object.declared_unions.is_empty() {
            let declared: Vec<Value> = object
                .declared_unions
                .iter()
                .map(declared_union_json)
                .collect();
            json.insert("declared".to_owned(), declared.into());
        }
    }
    json
}

fn inferred_union_json(analysis: &ObjectAnalysis, union: &Union) -> Value {
    let rule_sources = |rules: &[usize]| -> Vec<String> {
        let rules = rules.iter().filter_map(|index| analysis.rules.get(*index));
        rules.map(|rule| rule.source.clone()).collect()
    };
    let mut json = json!(union);
    if let Some(json) = json.as_object_mut() {
        json.insert("sound".to_owned(), union.is_sound().into());
        json.insert(
            "stands_for".to_owned(),
            rule_sources(&union.replaceable_rules).into(),
        );
        json.insert(
            "left_over".to_owned(),
            rule_sources(&union.remaining_rules).into(),
        );
    }
    json
}

fn declared_union_json(declared: &DeclaredUnion) -> Value {
    let members = declared.members.iter();
    let members = members.map(
        |member| json!({"name": member.field, "value": member.value, "optional": member.optional}),
    );
    json!({
        "discriminator": declared.discriminator,
        "members": members.collect::<Vec<_>>(),
        "empty_members": declared.empty_members,
    })
}
