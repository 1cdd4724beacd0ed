//! The costs of the rules of the CRD.

use std::collections::HashMap;

use k8s_crd_validation::{CostReport, RuleCost, cost_report};
use serde::Serialize;
use serde_json::Value;

use super::note::{About, At, Editor, Note};
use super::question::Question;
use super::read::Texts;
use crate::input::Placed;
use union_json::document::{Crd, SchemaPath, SchemaStep};

#[derive(Default, Serialize)]
pub(super) struct Costs {
    /// The bound of the cost of one rule; `total_limit` is the bound of all rules together.
    rule_limit: u64,
    total_limit: u64,
    schemas: Vec<OfSchema>,
}

#[derive(Serialize)]
struct OfSchema {
    kind: String,
    /// The versions that have this schema.
    versions: Vec<String>,
    total: u64,
    rules: Vec<OfRule>,
    problems: Vec<Note>,
}

#[derive(Serialize)]
struct OfRule {
    path: String,
    rule: String,
    #[serde(flatten)]
    at: Option<At>,
    cost: u64,
    each: u64,
    times: u64,
    message: u64,
    is_within_limit: bool,
    multipliers: Vec<OfMultiplier>,
    advice: Vec<String>,
}

#[derive(Serialize)]
struct OfMultiplier {
    path: String,
    keyword: &'static str,
    bound: Option<u64>,
}

pub(super) fn answer(texts: &mut Texts, question: &Question) -> Costs {
    let mut costs = Costs {
        rule_limit: CostReport::RULE_LIMIT,
        total_limit: CostReport::TOTAL_LIMIT,
        schemas: Vec::new(),
    };
    let Some(read) = texts.crd(question) else {
        return costs;
    };
    for placed in read.all_placed() {
        let mut read: Vec<(&Value, OfSchema)> = Vec::new();
        let crd = Crd::new(placed.object);
        for version in crd.versions() {
            let (Some(name), Some(schema)) = (version.name(), version.schema()) else {
                continue;
            };
            // The versions of a CRD often have equal schemas.
            if let Some((_, same)) = read.iter_mut().find(|(other, _)| *other == schema) {
                same.versions.push(name.to_owned());
                continue;
            }
            let of_schema = OfSchema {
                kind: crd.kind().unwrap_or_default().to_owned(),
                versions: vec![name.to_owned()],
                ..of_schema(&question.crd, placed, &version.schema_pointer(), schema)
            };
            read.push((schema, of_schema));
        }
        costs.schemas.extend(read.into_iter().map(|(_, of)| of));
    }
    costs
}

fn of_schema(text: &str, placed: Placed<'_>, pointer: &str, schema: &Value) -> OfSchema {
    let mut found = OfSchema {
        kind: String::new(),
        versions: Vec::new(),
        total: 0,
        rules: Vec::new(),
        problems: Vec::new(),
    };
    let report = match cost_report(schema) {
        Ok(report) => report,
        Err(report) => {
            let errors = report.errors().iter().map(ToString::to_string);
            let errors = errors.map(|error| Note::new(Editor::Crd, error));
            found.problems.extend(errors);
            return found;
        }
    };
    let about = About {
        editor: Editor::Crd,
        text,
        placed,
        judged: placed.object,
    };
    let mut pointers = pointers_of_rules(schema);
    // A schema may have the same rule twice.
    let of_rules = report.rules.iter().map(|rule| {
        let key = (rule.path.clone(), rule.rule.clone());
        let here = pointers.get_mut(&key)?.pop()?;
        Some(format!("{pointer}{here}"))
    });
    let of_rules: Vec<Option<String>> = of_rules.collect();
    let positions = about.positions(of_rules.into_iter());
    found.total = report.total;
    found.rules = report.rules.iter().zip(positions).map(of_rule).collect();
    found
}

fn of_rule((rule, at): (&RuleCost, Option<At>)) -> OfRule {
    let multipliers = rule.multipliers.iter().map(|multiplier| OfMultiplier {
        path: multiplier.path.clone(),
        keyword: multiplier.keyword,
        bound: multiplier.bound,
    });
    OfRule {
        path: rule.path.clone(),
        rule: rule.rule.clone(),
        at,
        cost: rule.cost(),
        each: rule.each,
        times: rule.times,
        message: rule.message,
        is_within_limit: rule.is_within_limit(),
        multipliers: multipliers.collect(),
        advice: rule.advice(),
    }
}

/// Returns the JSON pointers of the rules of a schema, by the path of their value and by their
/// source.
fn pointers_of_rules(schema: &Value) -> HashMap<(String, String), Vec<String>> {
    let mut found: HashMap<_, Vec<String>> = HashMap::new();
    let mut waiting = vec![(schema, SchemaPath::root())];
    while let Some((schema, path)) = waiting.pop() {
        let rules = schema.get("x-kubernetes-validations");
        let rules = rules.and_then(Value::as_array);
        for (number, rule) in rules.into_iter().flatten().enumerate() {
            let text = rule.get("rule").and_then(Value::as_str);
            let key = (field_of(&path), text.unwrap_or_default().to_owned());
            let here = format!("{path}/x-kubernetes-validations/{number}");
            found.entry(key).or_default().push(here);
        }
        let below = schema.as_object().into_iter().flat_map(SchemaStep::each);
        waiting.extend(below.map(|(step, schema)| (schema, path.clone().step(step))));
    }
    found
}

/// Returns a path as a report of costs prints it: `spec.rules[*]`.
fn field_of(path: &SchemaPath) -> String {
    let mut text = String::new();
    for step in path.steps() {
        match step {
            SchemaStep::Property(name) => {
                text.push_str(if text.is_empty() { "" } else { "." });
                text.push_str(name);
            }
            SchemaStep::Items => text.push_str("[*]"),
            SchemaStep::AdditionalProperties => text.push_str("{*}"),
        }
    }
    text
}
