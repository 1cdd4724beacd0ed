//! The values that are tried for a rule.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::repair::{OtherRules, parsed};
use super::solver::{SELF, Solver, interleaved};
use crate::sample::small_value::small_filled_value;

/// The maximum number of values for one rule.
const VALUES: usize = 64;

/// The number of values with repaired other rules that come before the values for which the rule is
/// true.
const REPAIRED: usize = 16;

/// The maximum number of rules of a schema that are made true.
const SATISFIED_RULES: usize = 8;

/// Returns at most `limit` values for a rule: changes of `base` for which the rule probably is
/// false, the same changes after the other rules of both versions became true, changes for which
/// the rule probably is true, and other changes.
pub(in crate::edges) fn rule_values(
    rule: &str,
    schema: &Value,
    versions: &[&Value],
    base: Option<&Value>,
    limit: usize,
) -> Vec<Value> {
    let Some(ast) = parsed(rule) else {
        return Vec::new();
    };
    let others = OtherRules::new(versions, rule);
    let keywords = versions
        .iter()
        .filter_map(|schema| schema.get("pattern")?.as_str());
    let mut patterns = others.patterns();
    patterns.extend(keywords.map(str::to_owned));
    let solver = Solver::new(schema, limit).with_other_patterns(patterns);
    let base = base.cloned();
    let base = base.unwrap_or_else(|| small_filled_value(schema, 0));
    let state = json!({SELF: base});
    let refuted = solver.condition(&ast, false, &[], &state);
    let satisfied = solver.condition(&ast, true, &[], &state);
    let varied = solver.varied(&ast, &[], &state);
    let repaired = refuted.iter();
    let repaired = repaired.flat_map(|state| others.made_true(&solver, state));
    let mut repaired: Vec<Value> = repaired.collect();
    let more_repaired = repaired.split_off(REPAIRED.min(repaired.len()));
    let states = [refuted, repaired, satisfied, varied, more_repaired];
    let mut seen = HashSet::new();
    let values = states.into_iter().flatten().filter_map(|state| {
        let mut state = solver.with_chosen_keys(state);
        let value = state.get_mut(SELF)?.take();
        seen.insert(value.to_string()).then_some(value)
    });
    values.take(VALUES.min(limit)).collect()
}

/// Returns changes of a value for which a rule of its schema probably is true.
pub(crate) fn satisfying_values(schema: &Value, value: &Value) -> Vec<Value> {
    let rules = schema.get("x-kubernetes-validations");
    let rules = rules.and_then(Value::as_array).into_iter().flatten();
    let rules = rules.filter_map(|rule| rule.get("rule")?.as_str());
    let state = json!({SELF: value});
    let states = rules.take(SATISFIED_RULES).filter_map(parsed).map(|rule| {
        let solver = Solver::new(schema, VALUES);
        let states = solver.condition(&rule, true, &[], &state).into_iter();
        let states = states.map(|state| solver.with_chosen_keys(state));
        states.collect()
    });
    let mut seen = HashSet::from([value.to_string()]);
    let values = interleaved(states.collect()).into_iter();
    let values = values.filter_map(|mut state| Some(state.get_mut(SELF)?.take()));
    values
        .filter(|value| seen.insert(value.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{VALUES, rule_values};
    use crate::bounds::OBJECT_BYTES;
    use crate::sample::json_size::json_size;

    #[test]
    fn hostile_rules_have_few_values() {
        let schema = json!({
            "type": "array",
            "items": {"type": "object", "properties": {"a": {"type": "string"}}},
        });
        let repeated = |start: &str, part: &dyn Fn(String) -> String, count: usize| {
            (0..count).fold(start.to_owned(), |rule, _| part(rule))
        };
        let lists = repeated("['a']", &|rule| format!("{rule}.map(x, [x, x])"), 40);
        let quantifiers = repeated(
            "self.exists(z, has(z.a))",
            &|rule| format!("self.exists_one(x, self.exists(y, x == y)) && !({rule})"),
            30,
        );
        let sums = repeated(
            "1",
            &|rule| format!("[1, 2, 3].map(x, {rule} + x).sum()"),
            25,
        );
        let choices = repeated(
            "0",
            &|rule| format!("(has(self[0].a) ? 1 : 0) + {rule}"),
            90,
        );
        let zeros = "0".repeat(66_000);
        let maps = repeated("self", &|rule| format!("{rule}.map(x, [[[[[[x]]]]]])"), 25);
        for rule in [
            format!("self[0].a < '{zeros}1'"),
            format!("{maps}.all(x, x == self[0].a)"),
            format!("{lists}.all(x, x == self[0].a)"),
            quantifiers,
            format!("{sums} == self.size()"),
            format!("{choices} < 3"),
            format!("self.size() == {}", i64::MIN),
            "self.size() < 9223372036854775807".to_owned(),
            "self[9223372036854775807].a == 'a'".to_owned(),
            "self[50000].a == 'a'".to_owned(),
            "self.size( <".to_owned(),
        ] {
            for base in [None, Some(&json!([{"a": "b"}])), Some(&Value::Null)] {
                let values = rule_values(&rule, &schema, &[&schema], base, 320);
                assert!(values.len() <= VALUES, "{rule}");
                for value in values {
                    assert!(json_size(&value, OBJECT_BYTES).is_some(), "{rule}");
                }
            }
        }
    }
}
