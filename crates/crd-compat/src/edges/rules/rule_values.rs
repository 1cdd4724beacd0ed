//! The values that are tried for a rule.

use std::collections::HashSet;

use k8s_cel::KubeVersion;
use k8s_cel::syntax::{Ast, parse};
use serde_json::{Value, json};

use super::solver::{SELF, Solver};
use crate::sample::small_value::small_filled_value;

/// The maximum number of values for one rule.
const VALUES: usize = 64;

/// Returns values for which the result of a rule probably is false, and then values for which it is
/// true, each a change of `base`. The other rules of the schema are true for some of the values.
pub(in crate::edges) fn rule_values(
    rule: &str,
    schema: &Value,
    base: Option<&Value>,
) -> Vec<Value> {
    let Some(ast) = parsed(rule) else {
        return Vec::new();
    };
    let other_rules = schema.get("x-kubernetes-validations");
    let other_rules = other_rules.and_then(Value::as_array).into_iter().flatten();
    let other_rules = other_rules.filter_map(|other| other.get("rule")?.as_str());
    let other_rules: Vec<Ast> = other_rules
        .filter(|other| *other != rule)
        .filter_map(parsed)
        .collect();
    let solver = Solver::new(schema);
    let base = base.cloned();
    let base = base.unwrap_or_else(|| small_filled_value(schema, 0));
    let state = json!({SELF: base});
    let refuted = solver.condition(&ast, false, &[], &state);
    let satisfying_others = refuted.iter().map(|state| {
        let first = vec![state.clone()];
        other_rules.iter().fold(first, |states, other| {
            let states = states.iter().take(1);
            let states = states.flat_map(|state| solver.condition(other, true, &[], state));
            states.take(1).collect()
        })
    });
    let satisfying_others = satisfying_others.flatten().collect();
    let satisfied = solver.condition(&ast, true, &[], &state);
    let varied = solver.varied(&ast, &[], &state);
    let states = [refuted, satisfying_others, satisfied, varied];
    let mut seen = HashSet::new();
    let values = states.into_iter().flatten().filter_map(|state| {
        let mut state = solver.with_chosen_keys(state);
        let value = state.get_mut(SELF)?.take();
        seen.insert(value.to_string()).then_some(value)
    });
    values.take(VALUES).collect()
}

fn parsed(rule: &str) -> Option<Ast> {
    parse(rule, KubeVersion::LATEST).ok()
}
