//! Changes a state until a list or a map has an element.

use k8s_cel::syntax::{Ast, AstKind};
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use super::macros::Macro;
use super::order::Comparison;
use super::solver::{Scope, Solver, Variables, interleaved};
use crate::sample::schema::property_schema;
use crate::sample::small_value::{small_filled_value, small_value};

impl Solver {
    /// Returns states in which a range has an element, or does not have it.
    pub(super) fn membership<'r>(
        &self,
        element: &'r Ast,
        range: &'r Ast,
        wanted: bool,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        if let Some(Value::Array(values)) = self.constant(range, scope) {
            let value = self.value(element, scope, state);
            let is_true_already = value.is_some_and(|value| values.contains(&value) == wanted);
            let unchanged = is_true_already.then(|| state.clone()).into_iter().collect();
            let candidates = if wanted {
                values
            } else {
                let place = self.place(element, scope, state);
                let schema = place.and_then(|place| self.schema_at(&place));
                let mut others = self.values_of(schema.unwrap_or(&json!({"type": "string"})), &[]);
                others.push(json!("other"));
                others.retain(|other| !values.contains(other));
                others
            };
            let states = candidates.iter();
            let states = states.flat_map(|value| self.assigned(element, value, scope, state));
            return interleaved(vec![unchanged, states.collect()]);
        }
        if let Some(place) = self.place(range, scope, state) {
            return self.membership_of_place(element, &place, wanted, scope, state);
        }
        let comparison = if wanted {
            Comparison::Equal
        } else {
            Comparison::NotEqual
        };
        let terms: Vec<(&'r Ast, Variables<'r>, Value)> = match &range.kind {
            AstKind::List(elements) => {
                let terms = elements.iter();
                terms
                    .map(|it| (&it.value, scope.to_vec(), state.clone()))
                    .collect()
            }
            AstKind::Comprehension(comprehension) => {
                let Some(inner) = Macro::read(comprehension) else {
                    return Vec::new();
                };
                let Some(value) = inner.mapped() else {
                    return Vec::new();
                };
                let elements = self.element(&inner, 0, scope, state);
                elements
                    .into_iter()
                    .map(|it| (value, it.scope, it.state))
                    .collect()
            }
            _ => Vec::new(),
        };
        let lists = terms
            .iter()
            .map(|(term, scope, state)| self.comparison(comparison, [element, term], scope, state));
        interleaved(lists.collect())
    }

    /// Returns states in which a list or a map of the state has an element or a key.
    fn membership_of_place<'r>(
        &self,
        element: &'r Ast,
        place: &FieldPath,
        wanted: bool,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<Value> {
        let value = self.value(element, scope, state);
        let Some(schema) = self.schema_at(place) else {
            return Vec::new();
        };
        let current = place.find(state);
        match (value, schema.get("items")) {
            (Some(value), Some(_)) => {
                let items = current.and_then(Value::as_array);
                let mut items = items.cloned().unwrap_or_default();
                let rest = items.iter().filter(|item| **item != value);
                let mut lists: Vec<Vec<Value>> = vec![rest.cloned().collect()];
                if wanted {
                    items.insert(0, value.clone());
                    lists = vec![vec![value], items];
                }
                let lists = lists.into_iter().map(Value::from);
                let states = lists.flat_map(|list| self.with(state, place, Some(&list)));
                states.collect()
            }
            (Some(Value::String(key)), None) => {
                let entry = place.clone().key(&key);
                let value = property_schema(schema, &key).filter(|_| wanted);
                let value = value.map(|schema| small_filled_value(schema, 0));
                self.with(state, &entry, value.as_ref())
            }
            // The element is absent: it gets a value of the list.
            (None, Some(items)) => {
                let value = small_value(items, 0);
                self.assigned(element, &value, scope, state)
            }
            _ => Vec::new(),
        }
    }
}
