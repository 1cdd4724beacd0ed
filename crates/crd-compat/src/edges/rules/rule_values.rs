//! The values that are tried for a rule.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::repair::{OtherRules, parsed};
use super::solver::{SELF, Solver};
use crate::sample::small_value::small_filled_value;

/// The maximum number of values for one rule.
const VALUES: usize = 64;

/// Returns values for which the result of a rule probably is false, and then values for which it is
/// true, each a change of `base`. The other rules of both versions of the schema are true for some
/// of the values.
pub(in crate::edges) fn rule_values(
    rule: &str,
    schema: &Value,
    versions: &[&Value],
    base: Option<&Value>,
) -> Vec<Value> {
    let Some(ast) = parsed(rule) else {
        return Vec::new();
    };
    let solver = Solver::new(schema);
    let base = base.cloned();
    let base = base.unwrap_or_else(|| small_filled_value(schema, 0));
    let state = json!({SELF: base});
    let refuted = solver.condition(&ast, false, &[], &state);
    let satisfied = solver.condition(&ast, true, &[], &state);
    let varied = solver.varied(&ast, &[], &state);
    let others = OtherRules::new(versions, rule);
    let repaired = refuted.iter();
    let repaired = repaired.flat_map(|state| others.made_true(&solver, state));
    let repaired = repaired.collect();
    let states = [refuted, repaired, satisfied, varied];
    let mut seen = HashSet::new();
    let values = states.into_iter().flatten().filter_map(|state| {
        let mut state = solver.with_chosen_keys(state);
        let value = state.get_mut(SELF)?.take();
        seen.insert(value.to_string()).then_some(value)
    });
    values.take(VALUES).collect()
}
