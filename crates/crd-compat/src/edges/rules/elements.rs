//! Binds the variables of a macro to elements of its range.

use k8s_cel::syntax::{Ast, AstKind};
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use super::keys::key_variable;
use super::macros::Macro;
use super::solver::{Binding, Scope, Solver, Variables, with_variable};
use super::terms::size;
use crate::sample::small_value::small_value;

/// The maximum number of elements of a list literal that are bound.
const LITERAL_ELEMENTS: usize = 16;

/// The number of elements of a value that are bound, unless a rule counts more.
pub(super) const ELEMENTS: usize = 2;

/// The maximum number of elements of a state that are counted, or all satisfy a condition.
pub(super) const PRESENT_ELEMENTS: usize = 8;

/// An element of a range: the variables, and a state that has the element.
pub(super) struct BoundElement<'r> {
    pub(super) scope: Variables<'r>,
    pub(super) state: Value,
}

impl Solver {
    /// Returns the number of elements of a range whose conditions are solved: of a list literal,
    /// its length, and otherwise `in_state`.
    pub(super) fn element_count(&self, range: &Ast, scope: &Scope<'_>, in_state: usize) -> usize {
        match (&range.kind, self.constant(range, scope)) {
            (AstKind::List(elements), _) => elements.len().min(LITERAL_ELEMENTS),
            (_, Some(Value::Array(values))) => values.len().min(LITERAL_ELEMENTS),
            (AstKind::Comprehension(comprehension), _) => {
                self.element_count(&comprehension.iter_range, scope, in_state)
            }
            _ => in_state,
        }
    }

    /// Returns states with the variables bound to an element of the range of a macro.
    pub(super) fn element<'r>(
        &self,
        quantifier: &Macro<'r>,
        index: usize,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<BoundElement<'r>> {
        let (name, second) = quantifier.variables;
        let bound = |binding, state| BoundElement {
            scope: with_variable(scope, name, binding),
            state,
        };
        let range = quantifier.range;
        if let Some(Value::Array(values)) = self.constant(range, scope) {
            let value = values.get(index).cloned();
            let element = value.map(|value| bound(Binding::Constant(value), state.clone()));
            return element.into_iter().collect();
        }
        match &range.kind {
            AstKind::List(elements) => {
                let element = elements.get(index).map(|element| {
                    bound(Binding::Term(&element.value, scope.len()), state.clone())
                });
                return element.into_iter().collect();
            }
            AstKind::Comprehension(comprehension) => {
                let inner = Macro::read(comprehension);
                let inner =
                    inner.map(|inner| self.inner_element(&inner, name, index, scope, state));
                return inner.unwrap_or_default();
            }
            _ => {}
        }
        let Some(place) = self.place(range, scope, state) else {
            return Vec::new();
        };
        let is_list = self
            .schema_at(&place)
            .is_some_and(|it| it.get("items").is_some());
        let element = if is_list {
            let state = self.with_item(&place, index, state);
            let item = Binding::Place(place.index(index));
            state.map(|state| match second {
                None => bound(item, state),
                Some(second) => {
                    let scope = with_variable(scope, name, Binding::Constant(json!(index)));
                    let scope = with_variable(&scope, second, item);
                    BoundElement { scope, state }
                }
            })
        } else {
            self.with_entry(&place, index, state).map(|(key, state)| {
                let variable = key_variable(&place, &key);
                let entry = Binding::Place(place.key(&key));
                let mut element = bound(Binding::Place(variable), state);
                if let Some(second) = second {
                    element.scope = with_variable(&element.scope, second, entry);
                }
                element
            })
        };
        element.into_iter().collect()
    }

    /// Returns states with a variable bound to an element of a filter or a map.
    fn inner_element<'r>(
        &self,
        inner: &Macro<'r>,
        name: &'r str,
        index: usize,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Vec<BoundElement<'r>> {
        let mut elements = Vec::new();
        for element in self.element(inner, index, scope, state) {
            let BoundElement { scope, state } = element;
            let Some((_, last)) = scope.last() else {
                continue;
            };
            let value = inner.mapped();
            let value = value.map(|value| Binding::Term(value, scope.len()));
            let outer = with_variable(&scope, name, value.unwrap_or_else(|| last.clone()));
            let states = match inner.filtered() {
                Some(condition) => self.condition(condition, true, &scope, &state),
                None => vec![state],
            };
            elements.extend(states.into_iter().take(2).map(|state| BoundElement {
                scope: outer.clone(),
                state,
            }));
        }
        elements
    }

    /// Returns the number of elements that a range has in a state, which is limited.
    pub(super) fn present_count(&self, range: &Ast, scope: &Scope<'_>, state: &Value) -> usize {
        if let AstKind::Comprehension(comprehension) = &range.kind {
            return self.present_count(&comprehension.iter_range, scope, state);
        }
        let Some(place) = self.place(range, scope, state) else {
            return self.element_count(range, scope, ELEMENTS);
        };
        let count = place.find(state).and_then(size).unwrap_or(0);
        count.min(PRESENT_ELEMENTS)
    }

    /// Returns the scopes of a number of elements of a range, and a state that has the elements;
    /// `None` if the elements are not known.
    pub(super) fn some_elements<'r>(
        &self,
        quantifier: &Macro<'r>,
        count: usize,
        scope: &Scope<'r>,
        state: &Value,
    ) -> Option<(Vec<Variables<'r>>, Value)> {
        let mut state = state.clone();
        let mut scopes = Vec::new();
        for index in 0..count {
            let elements = self.element(quantifier, index, scope, &state);
            let element = elements.into_iter().next()?;
            state = element.state;
            scopes.push(element.scope);
        }
        Some((scopes, state))
    }

    fn with_item(&self, place: &FieldPath, index: usize, state: &Value) -> Option<Value> {
        let item = place.clone().index(index);
        if item.find(state).is_some() {
            return Some(state.clone());
        }
        let value = small_value(self.schema_at(&item)?, index);
        self.with(state, &item, Some(&value)).into_iter().next()
    }
}
