//! The costs of the rules of the CRD.

use std::collections::HashMap;

use k8s_crd_validation::{CostReport, RuleCost, cost_report};
use serde::Serialize;
use serde_json::Value;

use super::editor_inputs::EditorInputs;
use super::editor_message::{Editor, EditorMessage, EditorPosition, Subject};
use super::request::PageRequest;
use crate::input::LocatedObject;
use union_json::document::{Crd, SchemaPath, SchemaStep};

#[derive(Default, Serialize)]
pub(super) struct CostReply {
    /// The bound of the cost of one rule; `total_limit` is the bound of all rules together.
    rule_limit: u64,
    total_limit: u64,
    schemas: Vec<SchemaCosts>,
}

#[derive(Serialize)]
struct SchemaCosts {
    kind: String,
    /// The versions that have this schema.
    versions: Vec<String>,
    total: u64,
    rules: Vec<RuleCostEntry>,
    problems: Vec<EditorMessage>,
}

#[derive(Serialize)]
struct RuleCostEntry {
    path: String,
    rule: String,
    #[serde(flatten)]
    at: Option<EditorPosition>,
    cost: u64,
    each: u64,
    times: u64,
    message: u64,
    is_within_limit: bool,
    multipliers: Vec<MultiplierEntry>,
    advice: Vec<String>,
}

#[derive(Serialize)]
struct MultiplierEntry {
    path: String,
    keyword: &'static str,
    bound: Option<u64>,
}

pub(super) fn cost_reply(texts: &mut EditorInputs, question: &PageRequest) -> CostReply {
    let mut costs = CostReply {
        rule_limit: CostReport::RULE_LIMIT,
        total_limit: CostReport::TOTAL_LIMIT,
        schemas: Vec::new(),
    };
    let Some(read) = texts.crd(question) else {
        return costs;
    };
    for placed in read.located_crds() {
        let mut read: Vec<(&Value, SchemaCosts)> = Vec::new();
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
            let of_schema = SchemaCosts {
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

fn of_schema(text: &str, placed: LocatedObject<'_>, pointer: &str, schema: &Value) -> SchemaCosts {
    let mut found = SchemaCosts {
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
            let errors = errors.map(|error| EditorMessage::new(Editor::Crd, error));
            found.problems.extend(errors);
            return found;
        }
    };
    let about = Subject {
        editor: Editor::Crd,
        source: text,
        located: placed,
        judged: placed.object,
    };
    let mut pointers = rule_pointers(schema);
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

fn of_rule((rule, at): (&RuleCost, Option<EditorPosition>)) -> RuleCostEntry {
    let multipliers = rule.cardinalities.iter().map(|multiplier| MultiplierEntry {
        path: multiplier.path.clone(),
        keyword: multiplier.keyword,
        bound: multiplier.bound,
    });
    RuleCostEntry {
        path: rule.path.clone(),
        rule: rule.rule.clone(),
        at,
        cost: rule.cost(),
        each: rule.cost_per_evaluation,
        times: rule.max_evaluations,
        message: rule.message_cost,
        is_within_limit: rule.is_within_limit(),
        multipliers: multipliers.collect(),
        advice: rule.advice(),
    }
}

/// Returns the JSON pointers of the rules of a schema, by the path of their value and by their
/// source.
fn rule_pointers(schema: &Value) -> HashMap<(String, String), Vec<String>> {
    let mut found: HashMap<_, Vec<String>> = HashMap::new();
    let mut waiting = vec![(schema, SchemaPath::root())];
    while let Some((schema, path)) = waiting.pop() {
        let rules = schema.get("x-kubernetes-validations");
        let rules = rules.and_then(Value::as_array);
        for (number, rule) in rules.into_iter().flatten().enumerate() {
            let text = rule.get("rule").and_then(Value::as_str);
            let key = (cost_report_path(&path), text.unwrap_or_default().to_owned());
            let here = format!("{path}/x-kubernetes-validations/{number}");
            found.entry(key).or_default().push(here);
        }
        let below = schema
            .as_object()
            .into_iter()
            .flat_map(SchemaStep::subschemas);
        waiting.extend(below.map(|(step, schema)| (schema, path.clone().step(step))));
    }
    found
}

/// Returns a path as a report of costs prints it: `spec.rules[*]`.
fn cost_report_path(path: &SchemaPath) -> String {
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
