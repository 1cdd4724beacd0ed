//! Hints on the costs of CEL rules: the bounds that make a server accept a rule.

use k8s_crd_validation::{CostReport, RuleCost};
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_runtime::path::PathStep;

use crate::judge::reply::unions_reply::FieldError;
use crate::judge::server_settings::CompilingServer;

/// The part of the message of each error about costs.
const COST_PHRASES: [&str; 2] = [
    "exceeds budget by factor of",
    "contributed to estimated rule cost total",
];

/// Adds hints to the errors about costs of a CRD.
pub(crate) fn add_hints(errors: &mut [FieldError], crd: &Value, server: CompilingServer) {
    let mut reports: Vec<(usize, Option<CostReport>)> = Vec::new();
    let is_cost_error = |error: &&mut FieldError| {
        let rule = error.rule();
        COST_PHRASES.iter().any(|phrase| rule.contains(phrase))
    };
    for error in errors.iter_mut().filter(is_cost_error) {
        let index = version_index(error);
        if !reports.iter().any(|(version, _)| *version == index) {
            reports.push((index, cost_report(crd, index, server)));
        }
        let report = reports.iter().find(|(version, _)| *version == index);
        if let Some(report) = report.and_then(|(_, report)| report.as_ref()) {
            error.hints.extend(hints(error, report));
        }
    }
}

/// Returns the index of the version that has an error. The path of an error of all versions does
/// not contain an index.
pub(super) fn version_index(error: &FieldError) -> usize {
    let mut steps = error.path.steps().skip(1);
    match (steps.next(), steps.next()) {
        (Some(PathStep::Field("versions")), Some(PathStep::Index(index))) => index,
        _ => 0,
    }
}

fn cost_report(crd: &Value, version_index: usize, server: CompilingServer) -> Option<CostReport> {
    let version = Crd::new(crd).versions().nth(version_index);
    let name = version.and_then(CrdVersion::name)?;
    let schema = server.compiler().stored().crd(crd, Some(name)).ok()?;
    Some(CostReport::from_schema(&schema))
}

fn hints(error: &FieldError, report: &CostReport) -> Vec<String> {
    let steps: Vec<PathStep<'_>> = error.path.steps().collect();
    let Some((PathStep::Field(last_field), rule_steps)) = steps.split_last() else {
        return Vec::new();
    };
    let is_message = *last_field == "messageExpression";
    if !is_message && *last_field != "rule" {
        return total_hints(report);
    }
    let is_rule = |rule: &&RuleCost| {
        let schema_steps: Vec<PathStep<'_>> = rule.schema_path.steps().collect();
        rule_steps.ends_with(&schema_steps)
    };
    let Some(rule) = report.rules.iter().find(is_rule) else {
        return Vec::new();
    };
    if is_message {
        return rule.message_advice();
    }
    let evaluations = rule.max_evaluations;
    let unbounded = rule
        .cardinalities
        .iter()
        .filter(|list| list.bound.is_none());
    let unbounded = unbounded.map(|list| format!("`{}` has no {}", list.path, list.keyword));
    let mut hints = Vec::new();
    if evaluations > 1 {
        let reasons: Vec<String> = unbounded.collect();
        let reasons = match &*reasons {
            [] => String::new(),
            reasons => format!(", because {}", reasons.join(" and ")),
        };
        hints.push(format!("the rule counts {evaluations} times{reasons}"));
    }
    hints.extend(rule.advice());
    hints
}

/// Returns the hints on the costs of all rules together: the advice on the most expensive rules.
fn total_hints(report: &CostReport) -> Vec<String> {
    /// The maximum number of rules, because the first rules are the most expensive ones.
    const MAX_RULES: usize = 4;
    let rules = report.rules.iter().take(MAX_RULES);
    let advice = rules.flat_map(|rule| {
        let advice = rule.advice().into_iter().chain(rule.message_advice());
        advice.map(|advice| format!("{}: {advice}", rule.path))
    });
    advice.collect()
}
