//! Changes a state until a condition has a result.

use k8s_cel::syntax::{Ast, AstKind, Literal};
use serde_json::{Value, json};

use super::order::Comparison;
use super::solver::{Binding, COMBINED_STATES, STATES, Scope, Solver, interleaved};
use super::terms::{binding, converted};
use crate::sample::small_value::{small_filled_value, small_value};
use crate::sample::strings::small_strings;

impl Solver {
    /// Returns states in which a condition probably has the wanted result, the most likely first.
    pub(super) fn condition<'r>(
        &self,
        ast: &'r Ast,
        wanted: bool,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        if !self.takes_step() {
            return Vec::new();
        }
        let mut states = match &ast.kind {
            AstKind::Literal(Literal::Bool(value)) if *value == wanted => vec![state.clone()],
            AstKind::Literal(_) => Vec::new(),
            AstKind::Select {
                test_only: true, ..
            } => self.presence(ast, wanted, scope, state),
            AstKind::Call {
                function,
                target,
                args,
            } => self.call(
                ast,
                (function, target.as_deref(), args),
                wanted,
                scope,
                state,
            ),
            AstKind::Comprehension(comprehension) => {
                self.quantified(comprehension, wanted, scope, state)
            }
            AstKind::Ident(name) => match binding(name, scope) {
                Some((Binding::Term(ast, _), outer)) => {
                    let ast: &'r Ast = ast;
                    self.follow_term(|| self.condition(ast, wanted, outer, state))
                }
                Some((Binding::Constant(value), _)) if *value != json!(wanted) => Vec::new(),
                _ => self.assigned(ast, &json!(wanted), scope, state),
            },
            _ => self.assigned(ast, &json!(wanted), scope, state),
        };
        if states.is_empty() && !matches!(ast.kind, AstKind::Literal(_)) {
            states = self.varied(ast, scope, state);
        }
        states.truncate(STATES);
        states
    }

    /// Returns states with or without the value that a term reads.
    pub(super) fn presence(
        &self,
        ast: &Ast,
        wanted: bool,
        scope: &Scope<'_>,
        state: &Value,
    ) -> Vec<Value> {
        let Some(place) = self.place(ast, scope, state) else {
            return Vec::new();
        };
        match (wanted, place.find(state), self.schema_at(&place)) {
            (true, Some(_), _) => vec![state.clone()],
            (true, None, Some(schema)) => {
                let mut values = vec![small_filled_value(schema, 0), small_value(schema, 1)];
                values.dedup();
                let values = values.iter();
                let states = values.flat_map(|value| self.with(state, &place, Some(value)));
                states.collect()
            }
            (true, None, None) => Vec::new(),
            (false, ..) => self.with(state, &place, None),
        }
    }

    /// Returns states for a function or an operator whose result is a boolean.
    fn call<'r>(
        &self,
        ast: &'r Ast,
        (function, target, args): (&'r str, Option<&'r Ast>, &'r [Ast]),
        wanted: bool,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        match (function, target, args) {
            ("!_", None, [operand]) => self.condition(operand, !wanted, scope, state),
            ("_&&_", None, [left, right]) if wanted => {
                self.both((left, true), (right, true), scope, state)
            }
            ("_||_", None, [left, right]) if !wanted => {
                self.both((left, false), (right, false), scope, state)
            }
            ("_&&_" | "_||_", None, [left, right]) => interleaved(vec![
                self.condition(left, wanted, scope, state),
                self.both((left, !wanted), (right, wanted), scope, state),
            ]),
            ("_?_:_", None, [condition, first, second]) => interleaved(vec![
                self.both((condition, true), (first, wanted), scope, state),
                self.both((condition, false), (second, wanted), scope, state),
            ]),
            ("@in", None, [element, range]) => {
                self.membership(element, range, wanted, scope, state)
            }
            ("isLessThan" | "isGreaterThan", Some(left), [right]) => {
                let comparison = match function {
                    "isLessThan" => Comparison::Less,
                    _ => Comparison::Greater,
                };
                self.wanted_comparison(comparison, [left, right], wanted, scope, state)
            }
            ("hasValue", Some(optional), []) => self.presence(optional, wanted, scope, state),
            ("orValue", Some(optional), [default]) => {
                let with_default = if self.constant(default, scope) == Some(json!(wanted)) {
                    self.presence(optional, false, scope, state)
                } else {
                    Vec::new()
                };
                interleaved(vec![
                    self.condition(optional, wanted, scope, state),
                    with_default,
                ])
            }
            _ => {
                if let (Some(comparison), [left, right]) = (Comparison::of_function(function), args)
                {
                    return self.wanted_comparison(comparison, [left, right], wanted, scope, state);
                }
                match (converted(ast), self.place(ast, scope, state)) {
                    (Some(argument), _) => self.condition(argument, wanted, scope, state),
                    (None, Some(_)) => self.assigned(ast, &json!(wanted), scope, state),
                    _ => self.predicate((function, target, args), wanted, scope, state),
                }
            }
        }
    }

    fn wanted_comparison<'r>(
        &self,
        comparison: Comparison,
        operands: [&'r Ast; 2],
        wanted: bool,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let comparison = if wanted {
            comparison
        } else {
            comparison.negated()
        };
        self.comparison(comparison, operands, scope, state)
    }

    /// Returns states in which two conditions have their results.
    pub(super) fn both<'r>(
        &self,
        (first, is_first): (&'r Ast, bool),
        (second, is_second): (&'r Ast, bool),
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let states = self.condition(first, is_first, scope, state);
        let states = states.iter().take(COMBINED_STATES);
        let lists = states.map(|state| self.condition(second, is_second, scope, state));
        interleaved(lists.collect())
    }

    /// Returns states for a function of a string.
    fn predicate<'r>(
        &self,
        (function, target, args): (&'r str, Option<&'r Ast>, &'r [Ast]),
        wanted: bool,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let (function, string, argument) = match target {
            // `ip.isCanonical` is the only predicate whose target is a namespace.
            Some(target) if function == "isCanonical" && target.qualified_name().is_some() => {
                ("ip.isCanonical", args.first(), None)
            }
            Some(target) => (function, Some(target), args.first()),
            None => (function, args.first(), args.get(1)),
        };
        let Some(string) = string else {
            return Vec::new();
        };
        let argument = argument.and_then(|argument| self.value(argument, scope, state));
        let place = self.place(string, scope, state);
        let schema = place.and_then(|place| self.schema_at(&place));
        let schema = schema.cloned().unwrap_or_default();
        let others: Vec<String> = small_strings(&schema).into_iter().take(4).collect();
        let strings = self.strings_for(function, argument.as_ref(), wanted, &others);
        let Some(strings) = strings else {
            return Vec::new();
        };
        let is_true_already = match (self.value(string, scope, state), &argument) {
            (Some(Value::String(string)), Some(Value::String(part))) => {
                self.has_result(function, &string, part, wanted)
            }
            _ => false,
        };
        let unchanged = if is_true_already {
            vec![state.clone()]
        } else {
            Vec::new()
        };
        let values = strings.into_iter().map(Value::from).collect();
        let values = self.sorted_by_fit(&schema, values);
        let states = values
            .iter()
            .flat_map(|value| self.assigned(string, value, scope, state));
        unchanged.into_iter().chain(states).take(STATES).collect()
    }
}
