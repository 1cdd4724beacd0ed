//! Estimates the costs of the rules of a CRD.

use std::collections::HashMap;

use k8s_crd_validation::{CostReport, RuleCost};
use serde::Serialize;
use serde_json::Value;

use super::editor_inputs::EditorInputs;
use super::editor_message::{Editor, EditorMessage, EditorObject, EditorPosition};
use super::request::PageRequest;
use crate::input::ObjectInFile;
use crate::judge::server_settings::CompilingServer;
use union_json::document::{Crd, SchemaPath, SchemaStep};

#[derive(Default, Serialize)]
pub(super) struct CostReply {
    /// The cost limit of a rule.
    rule_limit: u64,
    /// The cost limit of all rules of a schema together.
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
    position: Option<EditorPosition>,
    cost: u64,
    #[serde(rename = "each")]
    cost_per_evaluation: u64,
    #[serde(rename = "times")]
    max_evaluations: u64,
    #[serde(rename = "message")]
    message_cost: u64,
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
    let mut reply = CostReply {
        rule_limit: CostReport::RULE_LIMIT,
        total_limit: CostReport::TOTAL_LIMIT,
        schemas: Vec::new(),
    };
    let Some(parsed_crds) = inputs.valid_crds(request) else {
        return reply;
    };
    let server = CompilingServer::from_settings(&request.settings());
    for object_in_file in parsed_crds.crds_in_file() {
        let mut estimated_schemas: Vec<(&Value, SchemaCosts)> = Vec::new();
        let crd = Crd::new(object_in_file.object);
        for version in crd.versions() {
            let (Some(name), Some(schema)) = (version.name(), version.schema()) else {
                continue;
            };
            // The versions of a CRD often have equal schemas, which are estimated once.
            let same_schema = estimated_schemas
                .iter_mut()
                .find(|(estimated_schema, _)| *estimated_schema == schema);
            if let Some((_, costs)) = same_schema {
                costs.versions.push(name.to_owned());
                continue;
            }
            let costs = SchemaCosts {
                kind: crd.kind().unwrap_or_default().to_owned(),
                versions: vec![name.to_owned()],
                ..schema_costs(
                    &request.crd,
                    object_in_file,
                    server,
                    &version.schema_pointer(),
                    schema,
                )
            };
            estimated_schemas.push((schema, costs));
        }
        let costs = estimated_schemas.into_iter().map(|(_, costs)| costs);
        reply.schemas.extend(costs);
    }
    reply
}

/// Estimates the costs of the rules of a schema. `pointer` is the JSON pointer of the schema in its
/// CRD, and `source` is the content of the editor.
fn schema_costs(
    source: &str,
    object_in_file: ObjectInFile<'_>,
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
    let editor_object = EditorObject {
        editor: Editor::Crd,
        source,
        object_in_file,
        validated_object: object_in_file.object,
    };
    let mut pointers = rule_pointers(schema);
    // Equal rules at one path have one key in the map, so each of them takes one of the pointers.
    let pointers_in_crd = report.rules.iter().map(|rule| {
        let key = (rule.path.clone(), rule.rule.clone());
        let rule_pointer = pointers.get_mut(&key)?.pop()?;
        Some(format!("{pointer}{rule_pointer}"))
    });
    let pointers_in_crd: Vec<Option<String>> = pointers_in_crd.collect();
    let positions = editor_object.positions(pointers_in_crd.into_iter());
    costs.total = report.total;
    costs.rules = report
        .rules
        .iter()
        .zip(positions)
        .map(rule_cost_entry)
        .collect();
    costs
}

fn rule_cost_entry((rule, position): (&RuleCost, Option<EditorPosition>)) -> RuleCostEntry {
    let multipliers = rule.cardinalities.iter().map(|multiplier| MultiplierEntry {
        path: multiplier.path.clone(),
        keyword: multiplier.keyword,
        bound: multiplier.bound,
    });
    RuleCostEntry {
        path: rule.path.clone(),
        rule: rule.rule.clone(),
        position,
        cost: rule.cost(),
        cost_per_evaluation: rule.cost_per_evaluation,
        max_evaluations: rule.max_evaluations,
        message_cost: rule.message_cost,
        is_within_limit: rule.is_within_limit(),
        multipliers: multipliers.collect(),
        advice: rule.advice(),
    }
}

/// Returns the JSON pointers of the rules of a schema, by the path of their value and their
/// expression.
fn rule_pointers(schema: &Value) -> HashMap<(String, String), Vec<String>> {
    let mut pointers: HashMap<_, Vec<String>> = HashMap::new();
    let mut pending = vec![(schema, SchemaPath::root())];
    while let Some((schema, path)) = pending.pop() {
        let rules = schema.get("x-kubernetes-validations");
        let rules = rules.and_then(Value::as_array);
        for (index, rule) in rules.into_iter().flatten().enumerate() {
            let expression = rule.get("rule").and_then(Value::as_str);
            let key = (
                path.to_field_notation(),
                expression.unwrap_or_default().to_owned(),
            );
            let rule_pointer = format!("{path}/x-kubernetes-validations/{index}");
            pointers.entry(key).or_default().push(rule_pointer);
        }
        let children = schema
            .as_object()
            .into_iter()
            .flat_map(SchemaStep::subschemas);
        pending.extend(children.map(|(step, schema)| (schema, path.clone().step(step))));
    }
    pointers
}
