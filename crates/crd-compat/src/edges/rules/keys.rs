//! Keys of maps as values of a state, so that a condition of a key can be solved.

use serde_json::{Value, json};
use union_runtime::path::FieldPath;

use super::solver::Solver;
use crate::sample::schema::properties;
use crate::sample::small_value::small_filled_value;

/// The first character of the names of the state that are keys of maps.
const KEY: char = '@';

impl Solver {
    /// Returns the key of an entry of a map, and a state with the entry and its key.
    pub(super) fn with_entry(
        &self,
        place: &FieldPath,
        index: usize,
        state: &Value,
    ) -> Option<(String, Value)> {
        let schema = self.schema_at(place)?;
        let fields = place.find(state).and_then(Value::as_object);
        let is_known = |key: &String| fields.is_some_and(|fields| fields.contains_key(key));
        let known = fields.into_iter().flat_map(serde_json::Map::keys);
        let declared = properties(schema)
            .into_iter()
            .flat_map(serde_json::Map::keys);
        let more = (1..).map(|number| format!("example-{number}"));
        let more = declared.cloned().chain(more).filter(|key| !is_known(key));
        let key = known.cloned().chain(more).nth(index)?;
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
        // Inner maps first, because a new key of an outer map changes the paths of inner maps.
        chosen
            .into_iter()
            .rev()
            .fold(state, |state, (map, old, key)| {
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
}

/// Returns the place in a state of the key of an entry.
pub(super) fn key_variable(map: &FieldPath, key: &str) -> FieldPath {
    let entry = map.clone().key(key);
    FieldPath::root().field(&format!("{KEY}{entry}"))
}
