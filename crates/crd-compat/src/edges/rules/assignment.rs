//! Changes a state until a term has a value.

use k8s_cel::syntax::{Ast, AstKind};
use serde_json::{Value, json};

use super::candidates::value_of_size;
use super::inversion::{Call, inserted};
use super::solver::{Binding, COMBINED_STATES, Scope, Solver};
use super::terms::{binding, converted, measured};
use crate::sample::pattern::matching_strings;

/// The maximum number of parts of a list of which one part is given.
const PARTS: usize = 10;

impl Solver {
    /// Returns states in which a term probably has a value; no states if the term cannot be set.
    pub(super) fn assigned<'r>(
        &self,
        term: &'r Ast,
        value: &Value,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        if !self.takes_step() {
            return Vec::new();
        }
        if let Some(place) = self.place(term, scope, state) {
            let schema = self.schema_at(&place);
            let is_string = schema.and_then(|it| it.get("type")) == Some(&json!("string"));
            // A rule may convert the string to a number.
            let value = match value {
                Value::Number(number) if is_string => json!(number.to_string()),
                other => other.clone(),
            };
            return self.with(state, &place, Some(&value));
        }
        if let Some(known) = self.constant(term, scope) {
            let is_equal = known == *value;
            return is_equal.then(|| state.clone()).into_iter().collect();
        }
        if let Some(term) = measured(term) {
            return self.sized(term, value, scope, state);
        }
        if let Some(argument) = converted(term) {
            return self.assigned(argument, value, scope, state);
        }
        match &term.kind {
            AstKind::Ident(name) => match binding(name, scope) {
                Some((Binding::Term(ast, _), outer)) => {
                    let ast: &'r Ast = ast;
                    self.follow_term(|| self.assigned(ast, value, outer, state))
                }
                _ => Vec::new(),
            },
            AstKind::Call {
                function,
                target,
                args,
            } => {
                let call = (function.as_str(), target.as_deref(), args.as_slice());
                self.assigned_call(call, value, scope, state)
            }
            _ => Vec::new(),
        }
    }

    /// Returns states in which the size of a term is a value.
    fn sized<'r>(
        &self,
        term: &'r Ast,
        size: &Value,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let Some(count) = size.as_u64().and_then(|size| usize::try_from(size).ok()) else {
            return Vec::new();
        };
        if let Some(place) = self.place(term, scope, state) {
            let schema = self.schema_at(&place);
            let value = schema.and_then(|it| value_of_size(it, place.find(state), count));
            let states = value.map(|value| self.with(state, &place, Some(&value)));
            return states.unwrap_or_default();
        }
        match &term.kind {
            AstKind::Comprehension(comprehension) => {
                self.sized(&comprehension.iter_range, size, scope, state)
            }
            AstKind::Call {
                function,
                target: Some(string),
                args,
            } => match function.as_str() {
                "split" => {
                    let separator = args.first().and_then(|ast| self.constant(ast, scope));
                    let separator = separator.as_ref().and_then(Value::as_str).unwrap_or(",");
                    let parts = vec!["a"; count.min(COMBINED_STATES)];
                    self.assigned(string, &json!(parts.join(separator)), scope, state)
                }
                "trim" | "lowerAscii" | "upperAscii" => self.sized(string, size, scope, state),
                "findAll" => {
                    let pattern = args.first().and_then(|ast| self.constant(ast, scope));
                    let pattern = pattern.as_ref().and_then(Value::as_str).unwrap_or("");
                    let found = matching_strings(pattern, 1, COMBINED_STATES);
                    let found = found.first().map_or("", String::as_str);
                    let text = json!(found.repeat(count.min(COMBINED_STATES)));
                    self.assigned(string, &text, scope, state)
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn assigned_call<'r>(
        &self,
        call: Call<'r>,
        value: &Value,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        match call {
            ("_?_:_", None, [condition, first, second]) => {
                let mut states = Vec::new();
                for (is_first, branch) in [(true, first), (false, second)] {
                    let chosen = self.condition(condition, is_first, scope, state);
                    for state in chosen.iter().take(2) {
                        states.extend(self.assigned(branch, value, scope, state));
                    }
                }
                states
            }
            ("orValue", Some(optional), [default]) => {
                let mut states = self.assigned(optional, value, scope, state);
                if self.constant(default, scope).as_ref() == Some(value) {
                    states.extend(self.presence(optional, false, scope, state));
                }
                states
            }
            ("_+_" | "_-_" | "_*_" | "_/_" | "_%_", None, [left, right]) => {
                self.assigned_arithmetic(call.0, [left, right], value, scope, state)
            }
            ("format", Some(template), [list]) => {
                let AstKind::List(elements) = &list.kind else {
                    return Vec::new();
                };
                let template = self.constant(template, scope);
                let inserted = template
                    .as_ref()
                    .and_then(|it| inserted(it.as_str()?, value));
                let element = elements.first().zip(inserted);
                let states = element.map(|(element, inserted)| {
                    self.assigned(&element.value, &inserted, scope, state)
                });
                states.unwrap_or_default()
            }
            ("quote", Some(_), [string]) | (_, Some(string), _) => {
                let values = self.sources(call, value, scope, state).into_iter();
                let values = values.map(Value::from);
                let states = values.flat_map(|value| self.assigned(string, &value, scope, state));
                states.collect()
            }
            ("_[_]", None, [list, index]) => {
                let position = self.constant(index, scope).unwrap_or_default();
                let position = position
                    .as_u64()
                    .map_or(Some(0), |it| usize::try_from(it).ok());
                let Some(position) = position.filter(|it| *it < PARTS) else {
                    return Vec::new();
                };
                let mut parts = vec![json!("a"); position];
                parts.push(value.clone());
                self.assigned(list, &json!(parts), scope, state)
            }
            _ => Vec::new(),
        }
    }

    /// Returns states in which an operand has the value that gives an operation a result.
    fn assigned_arithmetic<'r>(
        &self,
        operator: &str,
        [left, right]: [&'r Ast; 2],
        result: &Value,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let mut states = Vec::new();
        for (changed, fixed, is_left) in [(left, right, true), (right, left, false)] {
            if self.constant(changed, scope).is_some() {
                continue;
            }
            let fixed = self.value(fixed, scope, state).unwrap_or_else(|| json!(1));
            let needed = match (result, &fixed) {
                (Value::String(text), Value::String(part)) if operator == "_+_" => {
                    let rest = if is_left {
                        text.strip_suffix(part.as_str())
                    } else {
                        text.strip_prefix(part.as_str())
                    };
                    rest.map(Value::from)
                }
                _ => result
                    .as_i64()
                    .zip(fixed.as_i64())
                    .and_then(|(result, fixed)| {
                        let needed = match (operator, is_left) {
                            ("_+_", _) => result.checked_sub(fixed),
                            ("_-_", true) => result.checked_add(fixed),
                            ("_-_", false) => fixed.checked_sub(result),
                            ("_*_", _) => result.checked_div(fixed),
                            ("_/_", true) => result.checked_mul(fixed),
                            ("_%_", true) => Some(result),
                            _ => None,
                        };
                        needed.map(Value::from)
                    }),
            };
            if let Some(needed) = needed {
                states.extend(self.assigned(changed, &needed, scope, state));
            }
        }
        states
    }
}
