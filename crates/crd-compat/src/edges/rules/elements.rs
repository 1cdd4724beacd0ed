//! Binds the variables of a macro to elements of its range.

use k8s_cel::syntax::{Ast, AstKind};
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use super::macros::Macro;
use super::order::Comparison;
use super::solver::{Binding, Scope, Solver, Variables, interleaved, with_variable};
use super::terms::size;
use crate::sample::schema::{properties, property_schema};
use crate::sample::small_value::{small_filled_value, small_value};

/// The maximum number of elements of a list literal that are bound.
const LITERAL_ELEMENTS: usize = 16;

/// The number of elements of a value that are bound, unless a rule counts more.
pub(super) const ELEMENTS: usize = 2;

/// The maximum number of elements of a state that are counted, or all satisfy a condition.
pub(super) const PRESENT_ELEMENTS: usize = 8;

/// The first character of the names of the state that are keys of maps.
const KEY: char = '@';

/// An element of a range: the variables, and a state that has the element.
pub(super) struct BoundElement<'r> {
    pub(super) scope: Variables<'r>,
    pub(super) state: Value,
}

impl Solver {
    /// Returns the number of elements of a range whose conditions are solved: of a list literal, its
    /// length, and otherwise `in_state`.
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

    /// Returns the key of an entry of a map, and a state with the entry and its key.
    fn with_entry(
        &self,
        place: &FieldPath,
        index: usize,
        state: &Value,
    ) -> Option<(String, Value)> {
        let schema = self.schema_at(place)?;
        let fields = place.find(state).and_then(Value::as_object);
        let known = fields.and_then(|fields| fields.keys().nth(index));
        let declared = properties(schema).and_then(|fields| fields.keys().nth(index));
        let key = known.or(declared).cloned();
        let key = key.unwrap_or_else(|| format!("example-{}", index + 1));
        let entry = place.clone().key(&key);
        let mut state = state.clone();
        if entry.find(&state).is_none() {
            let value = small_filled_value(self.schema_at(&entry)?, 0);
            state = self.with(&state, &entry, Some(&value)).into_iter().next()?;
        }
        let variable = key_variable(place, &key);
        if variable.find(&state).is_none() {
            let key = json!(key);
            state = self
                .with(&state, &variable, Some(&key))
                .into_iter()
                .next()?;
        }
        Some((key, state))
    }

    /// Returns the state after the entries of maps got the keys that the search chose for them.
    pub(super) fn with_chosen_keys(&self, state: Value) -> Value {
        let chosen: Vec<(FieldPath, String, String)> = state
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(variable, key)| {
                let printed = variable.strip_prefix(KEY)?;
                let entry = FieldPath::resolve(printed, &state)?;
                let old = entry.steps().next_back()?.name()?.to_owned();
                Some((entry.parent()?, old, key.as_str()?.to_owned()))
            })
            .collect();
        chosen.into_iter().fold(state, |state, (map, old, key)| {
            let (from, to) = (map.clone().key(&old), map.key(&key));
            let Some(value) = from.find(&state).cloned().filter(|_| old != key) else {
                return state;
            };
            let mut states = self.with(&state, &from, None).into_iter();
            let states = states
                .next()
                .map(|state| self.with(&state, &to, Some(&value)));
            states
                .and_then(|states| states.into_iter().next())
                .unwrap_or(state)
        })
    }

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
            let is_so = value.is_some_and(|value| values.contains(&value) == wanted);
            let unchanged = is_so.then(|| state.clone()).into_iter().collect();
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

/// Returns the place in a state of the key of an entry.
fn key_variable(map: &FieldPath, key: &str) -> FieldPath {
    let entry = map.clone().key(key);
    FieldPath::root().field(&format!("{KEY}{entry}"))
}
