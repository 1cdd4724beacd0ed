//! Removal of the keywords that an API server drops from a CRD, because the keywords were added
//! after the version of the server, or because their feature gate is off.

use std::borrow::Cow;

use k8s_cel::{Feature, KubeVersion};
use k8s_json_internals::deep::is_deeper;
use serde_json::Value;

use crate::schema::depth::MAX_VALUE_DEPTH;
use crate::schema::unknown::unknown_fields::FieldKind;

/// Keywords of CEL rules, with the feature that introduced each keyword.
const RULE_KEYWORDS: [(&str, Feature); 4] = [
    ("messageExpression", Feature::MessageExpression),
    ("reason", Feature::ReasonAndFieldPath),
    ("fieldPath", Feature::ReasonAndFieldPath),
    ("optionalOldSelf", Feature::OptionalOldSelf),
];

/// Fields of a version of a CRD, with the feature that introduced each field.
const VERSION_FIELDS: [(&str, Feature); 1] = [("selectableFields", Feature::SelectableFields)];

/// The decoder of schemas and CRDs on an API server with these properties. Decoding drops keywords.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decoder {
    pub(crate) version: KubeVersion,
    /// The setting of the feature gate `CRDValidationRatcheting`; `None` is the default of the
    /// version.
    pub(crate) ratchet: Option<bool>,
}

impl Decoder {
    /// Returns the keywords that were added after the version of the server.
    fn unknown_keywords(self, keywords: &[(&'static str, Feature)]) -> Vec<&'static str> {
        let unknown_keywords = keywords.iter();
        let unknown_keywords =
            unknown_keywords.filter(|(_, feature)| !feature.is_introduced_in(self.version));
        unknown_keywords.map(|(keyword, _)| *keyword).collect()
    }

    /// Returns the fields of a CRD that were added after the version of the server.
    pub(crate) fn newer_fields(self) -> Vec<(&'static str, FieldKind)> {
        let rule_keywords = self.unknown_keywords(&RULE_KEYWORDS).into_iter();
        let rule_keywords = rule_keywords.map(|name| (name, FieldKind::Keyword));
        let version_fields = self.unknown_keywords(&VERSION_FIELDS).into_iter();
        rule_keywords
            .chain(version_fields.map(|name| (name, FieldKind::Definition)))
            .collect()
    }

    /// Returns the keywords that the server drops from new CRDs: unknown keywords, and keywords
    /// whose feature gate is off.
    fn dropped_keywords(self, keywords: &[(&'static str, Feature)]) -> Vec<&'static str> {
        let is_off = |feature: Feature| match feature {
            Feature::OptionalOldSelf => {
                self.version.has(Feature::OptionalOldSelfGate)
                    && !Feature::Ratcheting.is_on(self.version, self.ratchet)
            }
            _ => false,
        };
        let dropped_keywords = keywords.iter();
        let dropped_keywords =
            dropped_keywords.filter(|(_, feature)| !self.version.has(*feature) || is_off(*feature));
        dropped_keywords.map(|(keyword, _)| *keyword).collect()
    }

    /// Returns a new schema without the keywords that the server drops.
    pub(crate) fn new_schema(self, schema: &Value) -> Cow<'_, Value> {
        schema_without_keywords(schema, &self.dropped_keywords(&RULE_KEYWORDS))
    }

    /// Returns a stored schema without the keywords that the server does not know.
    pub(crate) fn stored_schema(self, schema: &Value) -> Cow<'_, Value> {
        schema_without_keywords(schema, &self.unknown_keywords(&RULE_KEYWORDS))
    }

    /// Returns a stored CRD without the keywords that the server does not know.
    pub(crate) fn stored_crd(self, crd: &Value) -> Cow<'_, Value> {
        crd_without_keywords(
            crd,
            &self.unknown_keywords(&RULE_KEYWORDS),
            &self.unknown_keywords(&VERSION_FIELDS),
        )
    }

    /// Returns a new CRD without the keywords that the server drops. `stored` is the CRD that the
    /// new CRD replaces. If the stored CRD has a keyword, the server keeps the keyword even if the
    /// feature gate is off.
    pub(crate) fn new_crd<'v>(self, crd: &'v Value, stored: Option<&Value>) -> Cow<'v, Value> {
        let keywords_to_drop = |keywords: &[(&'static str, Feature)]| {
            let unknown_keywords = self.unknown_keywords(keywords);
            let mut dropped_keywords = self.dropped_keywords(keywords);
            dropped_keywords.retain(|keyword| {
                let is_stored = || stored.is_some_and(|stored| has_keyword(stored, keyword));
                unknown_keywords.contains(keyword) || !is_stored()
            });
            dropped_keywords
        };
        crd_without_keywords(
            crd,
            &keywords_to_drop(&RULE_KEYWORDS),
            &keywords_to_drop(&VERSION_FIELDS),
        )
    }
}

/// Returns a schema without the keywords `rule_keywords` in its rules.
fn schema_without_keywords<'v>(schema: &'v Value, rule_keywords: &[&str]) -> Cow<'v, Value> {
    // The compiler rejects a deeper schema later.
    if rule_keywords.is_empty() || is_deeper(schema, MAX_VALUE_DEPTH) {
        return Cow::Borrowed(schema);
    }
    let mut schema = schema.clone();
    drop_from_rules(&mut schema, rule_keywords);
    Cow::Owned(schema)
}

/// Returns a CRD without the keywords `rule_keywords` in its rules, and without the fields
/// `version_fields` in its versions.
fn crd_without_keywords<'v>(
    crd: &'v Value,
    rule_keywords: &[&str],
    version_fields: &[&str],
) -> Cow<'v, Value> {
    let is_unchanged = rule_keywords.is_empty() && version_fields.is_empty();
    // `CrdDefinition::decode` rejects a deeper CRD later.
    if is_unchanged || is_deeper(crd, MAX_VALUE_DEPTH) {
        return Cow::Borrowed(crd);
    }
    let mut crd = crd.clone();
    drop_from_crd(&mut crd, rule_keywords, version_fields);
    Cow::Owned(crd)
}

/// Returns true if a version of the CRD, or a rule in its schema, has the keyword.
fn has_keyword(crd: &Value, keyword: &str) -> bool {
    !is_deeper(crd, MAX_VALUE_DEPTH) && drop_from_crd(&mut crd.clone(), &[keyword], &[keyword])
}

/// Removes keywords from the versions of a CRD and from the rules in their schemas. Returns true if
/// a removed keyword had a value.
fn drop_from_crd(crd: &mut Value, rule_keywords: &[&str], version_fields: &[&str]) -> bool {
    let versions = crd.pointer_mut("/spec/versions");
    let versions = versions.and_then(Value::as_array_mut);
    let mut had_values = false;
    for version in versions.into_iter().flatten() {
        had_values |= remove_keys(version, version_fields);
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            had_values |= drop_from_rules(schema, rule_keywords);
        }
    }
    had_values
}

/// Removes keywords from the rules of a schema and of the schemas inside the schema. Returns true
/// if a removed keyword had a value.
fn drop_from_rules(schema: &mut Value, keywords: &[&str]) -> bool {
    let mut had_values = false;
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        for (name, subschema) in schema {
            match (&**name, subschema) {
                ("x-kubernetes-validations", Value::Array(rules)) => {
                    for rule in rules {
                        had_values |= remove_keys(rule, keywords);
                    }
                }
                (
                    "properties" | "patternProperties" | "definitions" | "dependencies",
                    Value::Object(schemas),
                ) => pending.extend(schemas.iter_mut().map(|(_, schema)| schema)),
                ("items" | "allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                    pending.extend(schemas);
                }
                ("items" | "additionalItems" | "additionalProperties" | "not", schema) => {
                    pending.push(schema);
                }
                _ => {}
            }
        }
    }
    had_values
}

/// Removes keys from an object. Returns true if a removed key had a value other than null and `[]`.
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
