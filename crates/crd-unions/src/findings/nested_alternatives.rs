//! Alternatives of a nested object that a keyword of the object above names, but does not enforce.
//!
//! A `oneOf` in a branch of another `oneOf` only decides if the branch is valid. If several
//! alternatives are set, the branch is invalid, and another branch may accept the object.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use union_runtime::path::FieldPath;

use crate::findings::sample;
use crate::report::finding::{Confidence, Finding, FindingCode};
use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::FieldId;
use crate::terms::keywords::COMBINING_KEYWORDS;

/// The maximum nesting depth of keywords that are searched.
const MAX_DEPTH: usize = 32;

/// The maximum number of alternatives whose pairs are examined.
const MAX_ALTERNATIVES: usize = 32;

/// A keyword in a branch, which names alternatives of a nested object.
struct NestedKeyword<'s> {
    /// The path of the nested object.
    path: Vec<&'s str>,
    keyword: &'static str,
    value: &'s Value,
    /// The names of the alternatives, in the order of the keyword.
    alternatives: Vec<&'s str>,
}

/// Returns findings for alternatives of nested objects that can be set together.
pub(crate) fn nested_alternatives(
    model: &Model<'_>,
    components: &mut [RuleComponent],
) -> Vec<Finding> {
    let mut keywords = Vec::new();
    for keyword in COMBINING_KEYWORDS {
        if let Some(value) = model.fields.root.get(keyword) {
            collect(value, &[], 0, &mut keywords);
        }
    }
    let mut seen: BTreeSet<(Vec<&str>, Vec<&str>)> = BTreeSet::new();
    let mut findings = Vec::new();
    for keyword in &keywords {
        if seen.insert((keyword.path.clone(), keyword.alternatives.clone())) {
            findings.extend(finding(model, components, keyword));
        }
    }
    findings
}

/// Collects the keywords with alternatives at the paths of nested objects.
fn collect<'s>(
    value: &'s Value,
    path: &[&'s str],
    depth: usize,
    keywords: &mut Vec<NestedKeyword<'s>>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Array(branches) => {
            for branch in branches {
                collect(branch, path, depth + 1, keywords);
            }
        }
        Value::Object(schema) => {
            if !path.is_empty() {
                keywords.extend(keyword_with_alternatives(schema, path));
            }
            for keyword in COMBINING_KEYWORDS {
                if let Some(value) = schema.get(keyword) {
                    collect(value, path, depth + 1, keywords);
                }
            }
            let properties = schema.get("properties").and_then(Value::as_object);
            for (name, property) in properties.into_iter().flatten() {
                let mut path = path.to_vec();
                path.push(name);
                collect(property, &path, depth + 1, keywords);
            }
        }
        _ => {}
    }
}

/// Returns the `oneOf` of a schema whose branches require single fields, or its `not` that forbids
/// several fields together.
fn keyword_with_alternatives<'s>(
    schema: &'s Map<String, Value>,
    path: &[&'s str],
) -> Option<NestedKeyword<'s>> {
    let nested = |keyword, value, alternatives: Vec<&'s str>| {
        let count = alternatives.len();
        (2..=MAX_ALTERNATIVES)
            .contains(&count)
            .then(|| NestedKeyword {
                path: path.to_vec(),
                keyword,
                value,
                alternatives,
            })
    };
    if let Some(value) = schema.get("oneOf") {
        let branches = value.as_array()?.iter();
        let required = branches.filter_map(|branch| match &*required_names(branch)? {
            [name] => Some(*name),
            _ => None,
        });
        let mut alternatives: Vec<&str> = required.collect();
        alternatives.dedup();
        return nested("oneOf", value, alternatives);
    }
    let value = schema.get("not")?;
    nested("not", value, required_names(value)?)
}

/// Returns the names that a branch requires.
fn required_names(branch: &Value) -> Option<Vec<&str>> {
    let names = branch.get("required")?.as_array()?.iter();
    Some(names.filter_map(Value::as_str).collect())
}

/// Returns true if the nested object itself has a rule that names several of the alternatives. The
/// rule is not part of the model, and may exclude the alternatives.
fn has_own_rule(model: &Model<'_>, alternative: FieldId, alternatives: &[&str]) -> bool {
    let chain = model.fields.get(alternative).map(|field| &*field.chain);
    let nested = chain.and_then(|chain| chain.len().checked_sub(2).and_then(|at| chain.get(at)));
    let Some(schema) = nested.and_then(|nested| model.fields.get(*nested)) else {
        return false;
    };
    if schema.schema.get("maxProperties").and_then(Value::as_u64) == Some(1) {
        return true;
    }
    let keywords = COMBINING_KEYWORDS
        .iter()
        .chain(&["x-kubernetes-validations"]);
    let rules = keywords.filter_map(|keyword| schema.schema.get(*keyword));
    let rules: Vec<String> = rules.map(Value::to_string).collect();
    let is_named = |name: &&&str| rules.iter().any(|rule| rule.contains(**name));
    alternatives.iter().filter(is_named).count() > 1
}

fn finding(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    keyword: &NestedKeyword<'_>,
) -> Option<Finding> {
    let ids: Vec<FieldId> = keyword
        .alternatives
        .iter()
        .filter_map(|name| {
            let mut path = keyword.path.clone();
            path.push(name);
            model.fields.find(&path)
        })
        .collect();
    if ids
        .first()
        .is_some_and(|id| has_own_rule(model, *id, &keyword.alternatives))
    {
        return None;
    }
    for (position, first) in ids.iter().enumerate() {
        for second in ids.iter().skip(position + 1) {
            if model.may_relate_unknowingly(*first, *second) {
                continue;
            }
            let component = components.iter().position(|component| {
                component.fields.contains(first) && component.fields.contains(second)
            });
            let assumptions = [(*first, Assumption::Set), (*second, Assumption::Set)];
            let Some(object) = component.and_then(|component| {
                sample::allowed_object(model, components, component, &assumptions)
            }) else {
                continue;
            };
            let nested_path: FieldPath = FieldPath::root();
            let nested_path = keyword
                .path
                .iter()
                .fold(nested_path, |path, name| path.field(name));
            let fields = ids.iter().map(|id| model.fields.path(*id));
            return Some(Finding {
                fields: fields.collect(),
                object: Some(object),
                accepted: true,
                remedy: format!(
                    "move the keyword into the schema of `{nested_path}`: \"{}\": {}",
                    keyword.keyword, keyword.value
                ),
                ..Finding::new(FindingCode::NestedNotExclusive, Confidence::Strong)
            });
        }
    }
    None
}
