//! The keywords that a server of an older version drops, because the server does not know the
//! keywords or their feature gate is off.

use std::borrow::Cow;

use k8s_cel::{Feature, KubeVersion};
use k8s_json_internals::deep::is_deeper;
use serde_json::Value;

use super::depth::MAX_VALUE_DEPTH;
use super::unknown_fields::FieldKind;

/// The keywords of a rule, and the features that introduced them.
const OF_RULES: [(&str, Feature); 4] = [
    ("messageExpression", Feature::MessageExpression),
    ("reason", Feature::ReasonAndFieldPath),
    ("fieldPath", Feature::ReasonAndFieldPath),
    ("optionalOldSelf", Feature::OptionalOldSelf),
];

/// The keywords of a version of a CRD, and the features that introduced them.
const OF_VERSIONS: [(&str, Feature); 1] = [("selectableFields", Feature::SelectableFields)];

/// The server that decodes a schema or a CRD.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decoder {
    pub(crate) version: KubeVersion,
    /// The setting of the feature gate `CRDValidationRatcheting`; `None` is the default of the
    /// version.
    pub(crate) ratchet: Option<bool>,
}

impl Decoder {
    /// Returns the keywords that the server does not know.
    fn unknown(self, keywords: &[(&'static str, Feature)]) -> Vec<&'static str> {
        let unknown = keywords.iter();
        let unknown = unknown.filter(|(_, feature)| self.version < feature.introduced());
        unknown.map(|(keyword, _)| *keyword).collect()
    }

    /// Returns the fields of a CRD that were added after the version of the server.
    pub(crate) fn newer_fields(self) -> Vec<(&'static str, FieldKind)> {
        let keywords = self.unknown(&OF_RULES).into_iter();
        let keywords = keywords.map(|name| (name, FieldKind::Keyword));
        let fields = self.unknown(&OF_VERSIONS).into_iter();
        keywords
            .chain(fields.map(|name| (name, FieldKind::Definition)))
            .collect()
    }

    /// Returns the keywords that the server drops from new objects: the keywords that it does not
    /// know, and the keywords whose feature gate is off.
    fn dropped(self, keywords: &[(&'static str, Feature)]) -> Vec<&'static str> {
        let is_off = |feature: Feature| match feature {
            Feature::OptionalOldSelf => {
                self.version.has(Feature::OptionalOldSelfGate)
                    && !Feature::Ratcheting.is_on(self.version, self.ratchet)
            }
            _ => false,
        };
        let dropped = keywords.iter();
        let dropped =
            dropped.filter(|(_, feature)| !self.version.has(*feature) || is_off(*feature));
        dropped.map(|(keyword, _)| *keyword).collect()
    }

    /// Returns a new schema as the server decodes the schema.
    pub(crate) fn new_schema(self, schema: &Value) -> Cow<'_, Value> {
        without(schema, &self.dropped(&OF_RULES))
    }

    /// Returns a stored schema as the server decodes the schema.
    pub(crate) fn stored_schema(self, schema: &Value) -> Cow<'_, Value> {
        without(schema, &self.unknown(&OF_RULES))
    }

    /// Returns a stored CRD as the server decodes the CRD.
    pub(crate) fn stored_crd(self, crd: &Value) -> Cow<'_, Value> {
        crd_without(crd, &self.unknown(&OF_RULES), &self.unknown(&OF_VERSIONS))
    }

    /// Returns a new CRD as the server decodes and stores the CRD. `stored` is the stored CRD that
    /// the new CRD replaces: the server keeps the keywords of a feature gate that the stored CRD
    /// has.
    pub(crate) fn new_crd<'v>(self, crd: &'v Value, stored: Option<&Value>) -> Cow<'v, Value> {
        let of = |keywords: &[(&'static str, Feature)]| {
            let unknown = self.unknown(keywords);
            let mut dropped = self.dropped(keywords);
            dropped.retain(|keyword| {
                let is_used = || stored.is_some_and(|stored| has_keyword(stored, keyword));
                unknown.contains(keyword) || !is_used()
            });
            dropped
        };
        crd_without(crd, &of(&OF_RULES), &of(&OF_VERSIONS))
    }
}

/// Returns a schema without keywords of its rules.
fn without<'v>(schema: &'v Value, of_rules: &[&str]) -> Cow<'v, Value> {
    // A deeper schema is rejected later.
    if of_rules.is_empty() || is_deeper(schema, MAX_VALUE_DEPTH) {
        return Cow::Borrowed(schema);
    }
    let mut schema = schema.clone();
    drop_from_rules(&mut schema, of_rules);
    Cow::Owned(schema)
}

/// Returns a CRD without keywords of its rules and of its versions.
fn crd_without<'v>(crd: &'v Value, of_rules: &[&str], of_versions: &[&str]) -> Cow<'v, Value> {
    let is_current = of_rules.is_empty() && of_versions.is_empty();
    // A deeper CRD is rejected later.
    if is_current || is_deeper(crd, MAX_VALUE_DEPTH) {
        return Cow::Borrowed(crd);
    }
    let mut crd = crd.clone();
    drop_from_crd(&mut crd, of_rules, of_versions);
    Cow::Owned(crd)
}

/// Returns true if a version of the CRD, or a rule in its schema, has a keyword.
fn has_keyword(crd: &Value, keyword: &str) -> bool {
    !is_deeper(crd, MAX_VALUE_DEPTH) && drop_from_crd(&mut crd.clone(), &[keyword], &[keyword])
}

/// Removes keywords from the versions of a CRD and from the rules in their schemas. Returns true if
/// a keyword had a value.
fn drop_from_crd(crd: &mut Value, of_rules: &[&str], of_versions: &[&str]) -> bool {
    let versions = crd.pointer_mut("/spec/versions");
    let versions = versions.and_then(Value::as_array_mut);
    let mut had_values = false;
    for version in versions.into_iter().flatten() {
        had_values |= remove_keys(version, of_versions);
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            had_values |= drop_from_rules(schema, of_rules);
        }
    }
    had_values
}

/// Removes keywords from the rules of a schema and of the schemas inside it. Returns true if a
/// keyword had a value.
fn drop_from_rules(schema: &mut Value, keywords: &[&str]) -> bool {
    let mut had_values = false;
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        for (name, below) in schema {
            match (&**name, below) {
                ("x-kubernetes-validations", Value::Array(rules)) => {
                    for rule in rules {
                        had_values |= remove_keys(rule, keywords);
                    }
                }
                (
                    "properties" | "patternProperties" | "definitions" | "dependencies",
                    Value::Object(schemas),
                ) => waiting.extend(schemas.iter_mut().map(|(_, schema)| schema)),
                ("items" | "allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                    waiting.extend(schemas);
                }
                ("items" | "additionalItems" | "additionalProperties" | "not", schema) => {
                    waiting.push(schema);
                }
                _ => {}
            }
        }
    }
    had_values
}

/// Removes keys from an object. Returns true if a key had a value.
fn remove_keys(object: &mut Value, keys: &[&str]) -> bool {
    let Some(object) = object.as_object_mut() else {
        return false;
    };
    let mut had_values = false;
    for key in keys {
        let value = object.remove(*key).unwrap_or_default();
        had_values |= !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty());
    }
    had_values
}
