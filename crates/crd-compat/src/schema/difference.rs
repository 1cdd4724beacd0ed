//! The differences of two schemas, by keyword and path.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use union_json::document::{SchemaPath, SchemaStep};

use super::keyword::Keyword;
use crate::bounds::{DIFFERENCES, LEVELS};

/// A keyword whose values differ in two schemas.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    pub(crate) keyword: Keyword,
    /// The path of the schema with the keyword. For a field that only one schema describes, the
    /// path of the field.
    pub(crate) path: SchemaPath,
    /// The value in the old schema. For `required`, the name; for a rule, the rule.
    pub(crate) old: Option<Value>,
    pub(crate) new: Option<Value>,
    /// The index of a rule in the list of rules of its schema.
    pub(crate) rule_index: Option<usize>,
    /// True for a field that only one schema describes, if the other schema keeps unknown fields.
    pub(crate) keeps_unknown: bool,
}

impl Difference {
    /// Returns true if the difference is a rule that reads the old value.
    pub(crate) fn is_transition_rule(&self) -> bool {
        let rule = self.old.as_ref().or(self.new.as_ref());
        let text = rule.and_then(|rule| rule.get("rule")?.as_str());
        self.keyword == Keyword::Rule && text.is_some_and(|text| text.contains("oldSelf"))
    }

    /// Returns the parts that identify the difference in another comparison. The index of a rule is
    /// not one of them, because other rules move the rule.
    pub(crate) fn identity(&self) -> Value {
        json!({
            "place": self.path.to_string(),
            "keyword": self.keyword.as_str(),
            "old": self.old,
            "new": self.new,
        })
    }
}

/// The differences of two schemas.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    pub(crate) list: Vec<Difference>,
    /// The places that were not compared, because of a limit.
    pub(crate) omitted: Vec<OmittedPlace>,
    /// The place of the first difference beyond the list, and the number of such differences.
    unlisted: Option<(SchemaPath, usize)>,
}

/// A place with differences that were not listed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OmittedPlace {
    pub(crate) path: SchemaPath,
    pub(crate) limit: DifferenceLimit,
}

/// A limit of the list of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DifferenceLimit {
    /// The schemas at the place have more than [`LEVELS`] schemas around them.
    Levels,
    /// [`DIFFERENCES`] differences were listed before. The number counts the differences that were
    /// not listed; the place is the place of the first.
    Differences(usize),
}

/// Keywords whose values are compared as a whole.
const WHOLE: [(Keyword, &[&str]); 23] = [
    (Keyword::Type, &["type"]),
    (Keyword::Default, &["default"]),
    (Keyword::Enum, &["enum"]),
    (Keyword::Nullable, &["nullable"]),
    (Keyword::Pattern, &["pattern"]),
    (Keyword::Format, &["format"]),
    (Keyword::MinLength, &["minLength"]),
    (Keyword::MaxLength, &["maxLength"]),
    (Keyword::Minimum, &["minimum", "exclusiveMinimum"]),
    (Keyword::Maximum, &["maximum", "exclusiveMaximum"]),
    (Keyword::MultipleOf, &["multipleOf"]),
    (Keyword::MinItems, &["minItems"]),
    (Keyword::MaxItems, &["maxItems"]),
    (Keyword::UniqueItems, &["uniqueItems"]),
    (Keyword::MinProperties, &["minProperties"]),
    (Keyword::MaxProperties, &["maxProperties"]),
    (
        Keyword::PreserveUnknownFields,
        &["x-kubernetes-preserve-unknown-fields"],
    ),
    (Keyword::IntOrString, &["x-kubernetes-int-or-string"]),
    (
        Keyword::EmbeddedResource,
        &["x-kubernetes-embedded-resource"],
    ),
    (Keyword::AllOf, &["allOf"]),
    (Keyword::AnyOf, &["anyOf"]),
    (Keyword::OneOf, &["oneOf"]),
    (Keyword::Not, &["not"]),
];

/// Keywords of lists and maps, each with the value that an absent keyword means.
const TOPOLOGY: [(Keyword, &str, &str); 3] = [
    (Keyword::ListType, "x-kubernetes-list-type", "atomic"),
    (Keyword::ListMapKeys, "x-kubernetes-list-map-keys", ""),
    (Keyword::MapType, "x-kubernetes-map-type", "granular"),
];

static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

impl Differences {
    /// Returns the differences of two schemas.
    pub(crate) fn between(old: &Value, new: &Value) -> Self {
        let mut differences = Self::default();
        differences.compare(&SchemaPath::root(), old, new, 0);
        let unlisted = differences.unlisted.take();
        differences
            .omitted
            .extend(unlisted.map(|(path, count)| OmittedPlace {
                path,
                limit: DifferenceLimit::Differences(count),
            }));
        differences
    }

    fn add(&mut self, keyword: Keyword, path: &SchemaPath, old: Option<Value>, new: Option<Value>) {
        self.push(Difference {
            keyword,
            path: path.clone(),
            old,
            new,
            rule_index: None,
            keeps_unknown: false,
        });
    }

    /// Adds a difference, or counts the difference if the list is full.
    fn push(&mut self, difference: Difference) {
        if self.list.len() < DIFFERENCES {
            self.list.push(difference);
            return;
        }
        let (_, count) = self.unlisted.get_or_insert((difference.path, 0));
        *count += 1;
    }

    fn compare(&mut self, path: &SchemaPath, old: &Value, new: &Value, level: usize) {
        if old == new {
            return;
        }
        if level > LEVELS {
            // The list has at most as many places as differences, so that it is bounded, too.
            if self.omitted.len() < DIFFERENCES {
                self.omitted.push(OmittedPlace {
                    path: path.clone(),
                    limit: DifferenceLimit::Levels,
                });
            }
            return;
        }
        let [old_fields, new_fields] =
            [old, new].map(|schema| schema.as_object().unwrap_or(&EMPTY));
        for (keyword, names) in WHOLE {
            let value = |fields: &Map<String, Value>| value_of(fields, names);
            let (old_value, new_value) = (value(old_fields), value(new_fields));
            if old_value != new_value {
                self.add(keyword, path, old_value, new_value);
            }
        }
        for (keyword, name, implied) in TOPOLOGY {
            let value = |fields: &Map<String, Value>| {
                let mut value = fields.get(name).cloned();
                // The order of the keys of a list does not matter.
                if let Some(Value::Array(keys)) = &mut value {
                    keys.sort_by_key(Value::to_string);
                }
                value.filter(|value| value != implied)
            };
            let (old_value, new_value) = (value(old_fields), value(new_fields));
            if old_value != new_value {
                self.add(keyword, path, old_value, new_value);
            }
        }
        self.compare_required(path, old_fields, new_fields);
        self.compare_rules(path, old_fields, new_fields);
        self.compare_subschemas(path, old_fields, new_fields, level);
    }

    fn compare_required(
        &mut self,
        path: &SchemaPath,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
    ) {
        let names = |fields: &Map<String, Value>| -> BTreeSet<String> {
            let names = fields.get("required").and_then(Value::as_array);
            let names = names.into_iter().flatten().filter_map(Value::as_str);
            names.map(str::to_owned).collect()
        };
        let (old_names, new_names) = (names(old), names(new));
        for name in old_names.symmetric_difference(&new_names) {
            let value = |names: &BTreeSet<String>| {
                let name = names.get(name).cloned();
                name.map(Value::String)
            };
            self.add(
                Keyword::Required,
                path,
                value(&old_names),
                value(&new_names),
            );
        }
    }

    /// Compares rules without their messages, which do not affect the verdicts.
    fn compare_rules(
        &mut self,
        path: &SchemaPath,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
    ) {
        let rules = |fields: &Map<String, Value>| -> Vec<Value> {
            let rules = fields.get("x-kubernetes-validations");
            let rules = rules.and_then(Value::as_array).cloned();
            rules.unwrap_or_default()
        };
        let key = |rule: &Value| {
            let part = |name: &str| rule.get(name).map(Value::to_string);
            (part("rule"), part("optionalOldSelf"))
        };
        let (old_rules, new_rules) = (rules(old), rules(new));
        let keys = |rules: &[Value]| rules.iter().map(key).collect::<BTreeSet<_>>();
        let (old_keys, new_keys) = (keys(&old_rules), keys(&new_rules));
        let mut add_rule = |index: usize, [old, new]: [Option<&Value>; 2]| {
            self.push(Difference {
                keyword: Keyword::Rule,
                path: path.clone(),
                old: old.cloned(),
                new: new.cloned(),
                rule_index: Some(index),
                keeps_unknown: false,
            });
        };
        for (index, rule) in old_rules.iter().enumerate() {
            if !new_keys.contains(&key(rule)) {
                add_rule(index, [Some(rule), None]);
            }
        }
        for (index, rule) in new_rules.iter().enumerate() {
            if !old_keys.contains(&key(rule)) {
                add_rule(index, [None, Some(rule)]);
            }
        }
    }

    fn compare_subschemas(
        &mut self,
        path: &SchemaPath,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        level: usize,
    ) {
        let [old_properties, new_properties] = [old, new].map(|fields| {
            let properties = fields.get("properties").and_then(Value::as_object);
            properties.unwrap_or(&EMPTY)
        });
        let [old_keeps, new_keeps] = [old, new].map(keeps_unknown_fields);
        let names: BTreeSet<&String> = old_properties.keys().chain(new_properties.keys()).collect();
        for name in names {
            let path = path.clone().step(SchemaStep::Property(name));
            match (old_properties.get(name), new_properties.get(name)) {
                (Some(old), Some(new)) => self.compare(&path, old, new, level + 1),
                (old, new) => {
                    self.push(Difference {
                        keyword: Keyword::Properties,
                        path,
                        keeps_unknown: if old.is_none() { old_keeps } else { new_keeps },
                        old: old.cloned(),
                        new: new.cloned(),
                        rule_index: None,
                    });
                }
            }
        }
        for (keyword, name, step) in [
            (Keyword::Items, "items", SchemaStep::Items),
            (
                Keyword::AdditionalProperties,
                "additionalProperties",
                SchemaStep::AdditionalProperties,
            ),
        ] {
            match (old.get(name), new.get(name)) {
                (Some(old @ Value::Object(_)), Some(new @ Value::Object(_))) => {
                    self.compare(&path.clone().step(step), old, new, level + 1);
                }
                (old, new) if old != new => {
                    self.add(keyword, path, old.cloned(), new.cloned());
                }
                _ => {}
            }
        }
    }
}

/// Returns true if a schema keeps the fields that it does not describe.
fn keeps_unknown_fields(schema: &Map<String, Value>) -> bool {
    schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true))
}

/// Returns the value of a keyword, or an object if several keywords belong together.
fn value_of(fields: &Map<String, Value>, names: &[&str]) -> Option<Value> {
    let [name, exclusive] = names else {
        let value = fields.get(*names.first()?)?;
        // An absent keyword means false.
        let is_absent = *value == Value::Bool(false) && names != ["default"];
        return (!is_absent).then(|| value.clone());
    };
    let value = fields.get(*name)?;
    if fields.get(*exclusive) != Some(&Value::Bool(true)) {
        return Some(value.clone());
    }
    let mut both = Map::new();
    both.insert((*name).to_owned(), value.clone());
    both.insert((*exclusive).to_owned(), Value::Bool(true));
    Some(Value::Object(both))
}
