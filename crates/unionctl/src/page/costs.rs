//! Estimates the costs of the rules of a CRD.

use std::collections::HashMap;

use k8s_crd_validation::{CostReport, RuleCost};
use serde::Serialize;
use serde_json::Value;

use super::editor_inputs::EditorInputs;
use super::editor_message::{Editor, EditorMessage, EditorPosition, Subject};
use super::request::PageRequest;
use crate::input::LocatedObject;
use crate::judge::server_settings::CompilingServer;
use union_json::document::{Crd, SchemaPath, SchemaStep};

#[derive(Default, Serialize)]
pub(super) struct CostReply {
    /// The cost limit of a rule; `total_limit` is the cost limit of all rules together.
    rule_limit: u64,
    total_limit: u64,
    schemas: Vec<SchemaCosts>,
}

#[derive(Serialize)]
struct SchemaCosts {
    kind: String,
    /// The names of the versions that have this schema.
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

pub(super) fn cost_reply(inputs: &mut EditorInputs, request: &PageRequest) -> CostReply {
    let mut costs = CostReply {
        rule_limit: CostReport::RULE_LIMIT,
        total_limit: CostReport::TOTAL_LIMIT,
        schemas: Vec::new(),
    };
    let Some(schemas) = inputs.crd(request) else {
        return costs;
    };
    let server = CompilingServer::from_settings(&request.settings());
    for located in schemas.located_crds() {
        let mut schemas: Vec<(&Value, SchemaCosts)> = Vec::new();
        let crd = Crd::new(located.object);
        for version in crd.versions() {
            let (Some(name), Some(schema)) = (version.name(), version.schema()) else {
                continue;
            };
            // The versions of a CRD often have equal schemas, which are estimated once.
            if let Some((_, same)) = schemas.iter_mut().find(|(other, _)| *other == schema) {
                same.versions.push(name.to_owned());
                continue;
            }
            let schema_costs = SchemaCosts {
                kind: crd.kind().unwrap_or_default().to_owned(),
                versions: vec![name.to_owned()],
                ..schema_costs(
                    &request.crd,
                    located,
                    server,
                    &version.schema_pointer(),
                    schema,
                )
            };
            schemas.push((schema, schema_costs));
        }
        costs.schemas.extend(schemas.into_iter().map(|(_, of)| of));
    }
    costs
}

fn schema_costs(
    text: &str,
    located: LocatedObject<'_>,
    server: CompilingServer,
    pointer: &str,
    schema: &Value,
) -> SchemaCosts {
    let mut costs = SchemaCosts {
        kind: String::new(),
        versions: Vec::new(),
        total: 0,
        rules: Vec::new(),
        problems: Vec::new(),
    };
    let report = match server.compiler().stored().schema(schema) {
        Ok(schema) => CostReport::from_schema(&schema),
        Err(report) => {
            let errors = report.errors().iter().map(ToString::to_string);
            let errors = errors.map(|error| EditorMessage::new(Editor::Crd, error));
            costs.problems.extend(errors);
            return costs;
        }
    };
    let subject = Subject {
        editor: Editor::Crd,
        source: text,
        located,
        judged: located.object,
    };
    let mut pointers = rule_pointers(schema);
    // Equal rules of a value have several JSON pointers, of which each rule gets another.
    let pointer_of_each_rule = report.rules.iter().map(|rule| {
        let key = (rule.path.clone(), rule.rule.clone());
        let rule_pointer = pointers.get_mut(&key)?.pop()?;
        Some(format!("{pointer}{rule_pointer}"))
    });
    let pointer_of_each_rule: Vec<Option<String>> = pointer_of_each_rule.collect();
    let positions = subject.positions(pointer_of_each_rule.into_iter());
    costs.total = report.total;
    costs.rules = report.rules.iter().zip(positions).map(rule_entry).collect();
    costs
}

fn rule_entry((rule, position): (&RuleCost, Option<EditorPosition>)) -> RuleCostEntry {
    let multipliers = rule.cardinalities.iter().map(|multiplier| MultiplierEntry {
        path: multiplier.path.clone(),
        keyword: multiplier.keyword,
        bound: multiplier.bound,
    });
    RuleCostEntry {
        path: rule.path.clone(),
        rule: rule.rule.clone(),
        at: position,
        cost: rule.cost(),
        each: rule.cost_per_evaluation,
        times: rule.max_evaluations,
        message: rule.message_cost,
        is_within_limit: rule.is_within_limit(),
        multipliers: multipliers.collect(),
        advice: rule.advice(),
    }
}

/// Returns the JSON pointers of the rules of a schema, by the path of their value and their
/// expression.
fn rule_pointers(schema: &Value) -> HashMap<(String, String), Vec<String>> {
    let mut costs: HashMap<_, Vec<String>> = HashMap::new();
    let mut pending = vec![(schema, SchemaPath::root())];
    while let Some((schema, path)) = pending.pop() {
        let rules = schema.get("x-kubernetes-validations");
        let rules = rules.and_then(Value::as_array);
        for (index, rule) in rules.into_iter().flatten().enumerate() {
            let text = rule.get("rule").and_then(Value::as_str);
            let key = (cost_report_path(&path), text.unwrap_or_default().to_owned());
            let rule_pointer = format!("{path}/x-kubernetes-validations/{index}");
            costs.entry(key).or_default().push(rule_pointer);
        }
        let children = schema
            .as_object()
            .into_iter()
            .flat_map(SchemaStep::subschemas);
        pending.extend(children.map(|(step, schema)| (schema, path.clone().step(step))));
    }
    costs
}

/// Returns a path in the notation of cost reports: `spec.rules[*]`.
fn cost_report_path(path: &SchemaPath) -> String {
    let mut printed = String::new();
    for step in path.steps() {
        match step {
            SchemaStep::Property(name) => {
                printed.push_str(if printed.is_empty() { "" } else { "." });
                printed.push_str(name);
            }
            SchemaStep::Items => printed.push_str("[*]"),
            SchemaStep::AdditionalProperties => printed.push_str("{*}"),
        }
    }
    printed
}
