//! Changes a state until a comparison of two terms is true.

use k8s_cel::syntax::{Ast, AstKind};
use serde_json::{Value, json};

use super::order::Comparison;
use super::solver::{STATES, Scope, Solver, interleaved};

impl Solver {
    /// Returns states in which the comparison of two terms is probably true.
    pub(super) fn comparison<'r>(
        &self,
        comparison: Comparison,
        [left, right]: [&'r Ast; 2],
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let [left_value, right_value] = [left, right].map(|ast| self.constant(ast, scope));
        match (left_value, right_value) {
            (Some(left), Some(right)) => {
                let holds = comparison.holds(&left, &right) == Some(true);
                holds.then(|| state.clone()).into_iter().collect()
            }
            (_, Some(bound)) => self.with_bound(comparison, left, &bound, scope, state),
            (Some(bound), _) => self.with_bound(comparison.mirrored(), right, &bound, scope, state),
            _ => {
                if let Some(states) = self.of_type(comparison, left, right, scope, state) {
                    return states;
                }
                if is_condition(left) || is_condition(right) {
                    let is_equal = comparison == Comparison::Equal;
                    return interleaved(vec![
                        self.both((left, true), (right, is_equal), scope, state),
                        self.both((left, false), (right, !is_equal), scope, state),
                    ]);
                }
                let to_right = self.aligned(comparison, left, right, scope, state);
                let to_left = self.aligned(comparison.mirrored(), right, left, scope, state);
                interleaved(vec![to_right, to_left])
            }
        }
    }

    /// Returns states in which the comparison of a term with a constant is probably true.
    fn with_bound<'r>(
        &self,
        comparison: Comparison,
        term: &'r Ast,
        bound: &Value,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        if let (Some(bound), Comparison::Equal | Comparison::NotEqual) =
            (bound.as_bool(), comparison)
        {
            return self.condition(
                term,
                bound == (comparison == Comparison::Equal),
                scope,
                state,
            );
        }
        if let AstKind::Call {
            function,
            target: Some(left),
            args,
        } = &term.kind
            && let ("compareTo", [right]) = (function.as_str(), args.as_slice())
        {
            return self.comparison(comparison, [left, right], scope, state);
        }
        let counted = self.counted(comparison, term, bound, scope, state);
        if !counted.is_empty() {
            return counted;
        }
        let value = self.value(term, scope, state);
        let is_true_already =
            value.is_some_and(|value| comparison.holds(&value, bound) == Some(true));
        let mut states: Vec<Value> = is_true_already.then(|| state.clone()).into_iter().collect();
        for value in self.values_beside(comparison, term, bound, scope, state) {
            states.extend(self.assigned(term, &value, scope, state));
            if states.len() >= STATES {
                break;
            }
        }
        // The comparison may fail for a value that is absent: `x.?a.orValue(b)`.
        if states.is_empty() {
            states = self.varied(term, scope, state);
        }
        states
    }

    /// Returns values whose comparison with a bound is true.
    fn values_beside(
        &self,
        comparison: Comparison,
        term: &Ast,
        bound: &Value,
        scope: &Scope<'_>,
        state: &Value,
    ) -> Vec<Value> {
        match (comparison, bound) {
            (_, Value::Number(_)) => comparison.numbers(bound),
            (Comparison::Equal, _) => vec![bound.clone()],
            (Comparison::NotEqual, _) => {
                let place = self.place(term, scope, state);
                let schema = place.and_then(|place| self.schema_at(&place));
                let schema = schema.cloned().unwrap_or_else(|| json!({"type": "string"}));
                let mut values = self.values_of(&schema, &[]);
                values.push(json!("other"));
                values.retain(|value| value != bound);
                values
            }
            (_, Value::String(string)) => strings_beside(comparison, string),
            _ => Vec::new(),
        }
    }

    /// Returns states in which `target` is changed, so that the comparison of `fixed` with `target`
    /// is true.
    fn aligned<'r>(
        &self,
        comparison: Comparison,
        fixed: &'r Ast,
        target: &'r Ast,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let mut states = Vec::new();
        for state in self.filled(fixed, scope, state) {
            let Some(value) = self.value(fixed, scope, &state) else {
                continue;
            };
            let is_same_place =
                self.place(fixed, scope, &state) == self.place(target, scope, &state);
            if is_same_place {
                let holds = comparison.holds(&value, &value) == Some(true);
                states.extend(holds.then_some(state));
                continue;
            }
            let other = self.value(target, scope, &state);
            if other.is_some_and(|other| comparison.holds(&value, &other) == Some(true)) {
                states.push(state.clone());
            }
            let values = self.values_beside(comparison.mirrored(), target, &value, scope, &state);
            for value in values.iter().take(STATES) {
                states.extend(self.assigned(target, value, scope, &state));
            }
        }
        states
    }

    /// Returns states in which the value that a term reads is present.
    fn filled(&self, ast: &Ast, scope: &Scope<'_>, state: &Value) -> Vec<Value> {
        match self.place(ast, scope, state) {
            Some(_) => self.presence(ast, true, scope, state),
            None => vec![state.clone()],
        }
    }

    /// Returns states for a comparison such as `type(self.a) == int`.
    fn of_type(
        &self,
        comparison: Comparison,
        left: &Ast,
        right: &Ast,
        scope: &Scope<'_>,
        state: &Value,
    ) -> Option<Vec<Value>> {
        let AstKind::Call { function, args, .. } = &left.kind else {
            return None;
        };
        let (AstKind::Ident(name), [value], "type") =
            (&right.kind, args.as_slice(), function.as_str())
        else {
            return None;
        };
        let is_string = (name == "string") == (comparison == Comparison::Equal);
        let values = if is_string {
            [json!("1"), json!("example"), json!("50%")]
        } else {
            [json!(1), json!(0), json!(100)]
        };
        let states = values.iter();
        let states = states.flat_map(|it| self.assigned(value, it, scope, state));
        Some(states.collect())
    }
}

/// Returns true if an expression is a condition that is not a value of the state.
fn is_condition(ast: &Ast) -> bool {
    match &ast.kind {
        AstKind::Select { test_only, .. } => *test_only,
        AstKind::Call { function, .. } => {
            let operators = ["!_", "_&&_", "_||_", "@in", "hasValue"];
            operators.contains(&function.as_str()) || Comparison::of_function(function).is_some()
        }
        _ => false,
    }
}

/// Returns strings beside a string that begins with a number, such as `1h`, `10Gi`, `1.2.3` or a
/// time. Strings without a number are compared as strings.
fn strings_beside(comparison: Comparison, bound: &str) -> Vec<Value> {
    let length = bound.find(|character: char| !character.is_ascii_digit());
    let (digits, unit) = length
        .and_then(|length| bound.split_at_checked(length))
        .unwrap_or((bound, ""));
    let Ok(number) = digits.parse::<i64>() else {
        let strings = [format!("{bound}a"), String::new(), bound.to_owned()];
        let mut strings = strings.to_vec();
        strings.retain(|string| comparison.accepts(string.as_str().cmp(bound)));
        return strings.into_iter().map(Value::from).collect();
    };
    let numbers = comparison.numbers(&json!(number)).into_iter();
    let numbers = numbers.filter_map(|number| number.as_u64());
    // More digits than an integer has are zeros.
    let width = digits.len().min(20);
    let strings = numbers.map(|number| json!(format!("{number:0width$}{unit}")));
    strings.collect()
}
