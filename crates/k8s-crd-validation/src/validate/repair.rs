//! Changes of an object that remove an error of `anyOf`, `oneOf` or `not`: fields to remove or to
//! set. Each change is tried on the object, so an error without a known change gets no advice.

use core::fmt::{self, Write as _};

use serde_json::{Value, json};

use super::errors::sink::StopAtFirstError;
use super::validation::Validation;
use crate::schema::{Node, NodeId, SchemaType};
use k8s_json_internals::deep::{self, DeepValue};
use union_runtime::path::Path;

/// The maximum number of fields of one object that are tried. Limits the time for a large schema;
/// Kubernetes gives no advice, so it has no such limit.
const MAX_FIELDS: usize = 24;

/// The maximum number of changes of several fields that are tried for one object.
const MAX_COMBINED_CHANGES: usize = 200;

/// The depth of nested combinators in which fields are found.
const MAX_DEPTH: usize = 8;

/// The fields that the combinators of a schema are about, and the changes that satisfy the
/// combinators. `Display` prints the advice.
#[derive(Debug, Default)]
pub(crate) struct Repair {
    /// The fields of the object, except the fields with `choices`.
    present: Vec<String>,
    absent: Vec<String>,
    /// The fields of the object whose value is null.
    nulls: Vec<String>,
    /// The fields that distinguish the branches by their values, with their values as JSON.
    selectors: Vec<(String, String)>,
    /// The fields each of which may be removed.
    removable: Vec<String>,
    /// The fields each of which may be kept, if the other ones are removed.
    keepable: Vec<String>,
    /// The fields each of which may be added.
    addable: Vec<String>,
    /// The fields each of which may get another value, as JSON.
    changeable: Vec<(String, String)>,
    /// Several fields to remove and to add together, if no change of one field is enough.
    combined: Option<CombinedChange>,
}

/// Fields that are removed and added together.
#[derive(Debug)]
struct CombinedChange {
    removed: Vec<String>,
    added: Vec<String>,
    /// A field that gets another value, as JSON.
    changed: Option<(String, String)>,
}

/// A field that a combinator is about, with the values that its branches list.
struct Candidate {
    name: String,
    choices: Vec<Value>,
}

impl Validation<'_> {
    /// Returns the changes of an object that satisfy the combinators of its schema; `None` if no
    /// change is found.
    pub(crate) fn repair(&self, id: NodeId, value: &Value) -> Option<Repair> {
        let node = self.schema.node(id);
        let candidates = self.candidates(node);
        let mut copy = DeepValue::copy(value);
        let object = copy.as_object_mut()?;
        let mut repair = Repair::default();
        for candidate in &candidates {
            repair.add_state(candidate, object.get(&candidate.name));
        }
        let mut trial = Trial {
            validation: self,
            node,
            object: &mut copy,
        };
        let is_present = |name: &&String| value.get(name.as_str()).is_some();
        let names = || candidates.iter().map(|candidate| &candidate.name);
        for name in names().filter(is_present) {
            if trial.is_valid_without(&[name]) {
                repair.removable.push(name.clone());
            }
        }
        if repair.removable.is_empty() && repair.present.len() > 2 {
            for kept in &repair.present {
                let others: Vec<&String> =
                    repair.present.iter().filter(|name| *name != kept).collect();
                if trial.is_valid_without(&others) {
                    repair.keepable.push(kept.clone());
                }
            }
        }
        for candidate in &candidates {
            let name = &candidate.name;
            if candidate.choices.is_empty() && value.get(name.as_str()).is_none() {
                if trial.is_valid_with(name, self.sample_of(node, name)) {
                    repair.addable.push(name.clone());
                }
                continue;
            }
            for choice in &candidate.choices {
                if trial.is_valid_with(name, choice.clone()) {
                    repair.changeable.push((name.clone(), choice.to_string()));
                }
            }
        }
        if !repair.has_change() {
            repair.combined = self.combined_change(&mut trial, &candidates, &repair);
        }
        repair.has_change().then_some(repair)
    }

    /// Returns a change of several fields that satisfies the combinators. The last choice is to
    /// change a value too.
    fn combined_change(
        &self,
        trial: &mut Trial<'_, '_>,
        candidates: &[Candidate],
        repair: &Repair,
    ) -> Option<CombinedChange> {
        let choices = candidates.iter().flat_map(|candidate| {
            let choices = candidate.choices.iter();
            choices.map(|choice| Some((candidate.name.clone(), choice.clone())))
        });
        let combined = combined_changes(&repair.present, &repair.absent);
        let changes = core::iter::once(None).chain(choices).flat_map(|choice| {
            let combined = combined.iter();
            combined.map(move |change| (change, choice.clone()))
        });
        for ((removed, added), choice) in changes.take(MAX_COMBINED_CHANGES) {
            let sample = |name: &String| (name.clone(), self.sample_of(trial.node, name));
            let samples: Vec<(String, Value)> = added.iter().map(sample).collect();
            let values = samples.into_iter().chain(choice.clone()).collect();
            let removed_and_changed = removed.iter().chain(choice.as_ref().map(|(name, _)| name));
            let removed_and_changed: Vec<String> = removed_and_changed.cloned().collect();
            if trial.is_valid_changed(&removed_and_changed, values) {
                return Some(CombinedChange {
                    removed: removed.clone(),
                    added: added.clone(),
                    changed: choice.map(|(name, value)| (name, value.to_string())),
                });
            }
        }
        None
    }

    /// Returns the fields that the combinators of a schema are about, required fields first.
    fn candidates(&self, node: &Node) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut pending: Vec<(NodeId, usize)> = node.branches().map(|id| (id, 1)).collect();
        let mut next_index = 0;
        while let Some((id, depth)) = pending.get(next_index).copied() {
            next_index += 1;
            let branch = self.schema.node(id);
            let required = branch.required.iter().map(|name| (&**name, None));
            let properties = branch.properties.iter();
            let properties = properties.map(|property| {
                let choices = self.schema.node(property.id).enum_values.as_deref();
                (&*property.name, choices)
            });
            for (name, choices) in required.chain(properties) {
                let index = candidates
                    .iter()
                    .position(|candidate| candidate.name == name);
                let index = index.unwrap_or_else(|| {
                    candidates.push(Candidate {
                        name: name.to_owned(),
                        choices: Vec::new(),
                    });
                    candidates.len() - 1
                });
                let Some(candidate) = candidates.get_mut(index) else {
                    continue;
                };
                for choice in choices.into_iter().flatten() {
                    if !candidate.choices.contains(choice) {
                        candidate.choices.push(choice.clone());
                    }
                }
            }
            if depth < MAX_DEPTH && candidates.len() < MAX_FIELDS {
                pending.extend(branch.branches().map(|id| (id, depth + 1)));
            }
        }
        candidates.truncate(MAX_FIELDS);
        for candidate in &mut candidates {
            candidate.choices.truncate(MAX_FIELDS);
        }
        candidates
    }

    /// Returns a small value for a field of a schema.
    fn sample_of(&self, node: &Node, name: &str) -> Value {
        let Some(field) = node.child(name).map(|id| self.schema.node(id)) else {
            return json!("x");
        };
        let choice = field.enum_values.as_deref().and_then(<[Value]>::first);
        if let Some(value) = choice.or(field.default.as_deref()) {
            return DeepValue::copy(value).take();
        }
        match field.schema_type {
            Some(SchemaType::Object) => {
                let required = field.required.iter();
                Value::Object(
                    required
                        .map(|name| (name.to_string(), json!("x")))
                        .collect(),
                )
            }
            Some(SchemaType::Array) => json!([]),
            Some(SchemaType::Boolean) => json!(true),
            Some(SchemaType::Integer | SchemaType::Number) => json!(1),
            Some(SchemaType::String) | None => json!("x"),
        }
    }
}

/// A copy of an object, on which changes are tried. Each method restores the object.
struct Trial<'t, 'a> {
    validation: &'t Validation<'a>,
    node: &'t Node,
    object: &'t mut DeepValue,
}

impl Trial<'_, '_> {
    fn is_valid(&self) -> bool {
        let Some(object) = self.object.as_object() else {
            return false;
        };
        let has_required = |name: &str| object.contains_key(name);
        self.node.required.iter().all(|name| has_required(name))
            && self
                .validation
                .check_combinators(self.node, self.object, &Path::ROOT, &mut StopAtFirstError)
                .is_continue()
    }

    fn is_valid_without(&mut self, names: &[&String]) -> bool {
        let mut removed = Vec::new();
        for name in names {
            let fields = self.object.as_object_mut();
            if let Some(entry) = fields.and_then(|fields| fields.remove_entry(name.as_str())) {
                removed.push(entry);
            }
        }
        let is_valid = self.is_valid();
        if let Some(fields) = self.object.as_object_mut() {
            fields.extend(removed);
        }
        is_valid
    }

    fn is_valid_with(&mut self, name: &str, value: Value) -> bool {
        let Some(fields) = self.object.as_object_mut() else {
            return false;
        };
        let old_value = fields.insert(name.to_owned(), value);
        let is_valid = self.is_valid();
        let Some(fields) = self.object.as_object_mut() else {
            return false;
        };
        match old_value {
            Some(old_value) => deep::insert(fields, name, old_value),
            None => deep::remove(fields, name),
        }
        is_valid
    }

    fn is_valid_changed(&mut self, removed: &[String], added: Vec<(String, Value)>) -> bool {
        let Some(fields) = self.object.as_object_mut() else {
            return false;
        };
        let removed = removed.iter().filter_map(|name| fields.remove_entry(name));
        let removed: Vec<(String, Value)> = removed.collect();
        let added_names: Vec<String> = added.iter().map(|(name, _)| name.clone()).collect();
        fields.extend(added);
        let is_valid = self.is_valid();
        if let Some(fields) = self.object.as_object_mut() {
            fields.retain(|name, _| !added_names.contains(name));
            fields.extend(removed);
        }
        is_valid
    }
}

/// Returns the fields to remove and the fields to add of each change, with few fields first.
fn combined_changes(present: &[String], absent: &[String]) -> Vec<(Vec<String>, Vec<String>)> {
    /// The maximum number of fields, because the number of changes grows exponentially.
    const MAX_COMBINED: usize = 6;
    let fields: Vec<(&String, bool)> = present
        .iter()
        .take(MAX_COMBINED)
        .map(|name| (name, true))
        .chain(absent.iter().take(MAX_COMBINED).map(|name| (name, false)))
        .collect();
    let mut masks: Vec<u32> = (1..1_u32 << fields.len()).collect();
    masks.sort_by_key(|mask| mask.count_ones());
    let select = |mask: u32, is_removed: bool| {
        let bits = fields.iter().enumerate();
        let selected =
            bits.filter(|(bit, (_, removed))| mask & (1 << bit) != 0 && *removed == is_removed);
        selected.map(|(_, (name, _))| (*name).clone()).collect()
    };
    let masks = masks.into_iter().take(MAX_COMBINED_CHANGES);
    masks
        .map(|mask| (select(mask, true), select(mask, false)))
        .collect()
}

impl Repair {
    fn add_state(&mut self, candidate: &Candidate, value: Option<&Value>) {
        let name = &candidate.name;
        match value {
            Some(value) if !candidate.choices.is_empty() => {
                self.selectors.push((name.clone(), value.to_string()));
            }
            None if !candidate.choices.is_empty() => {}
            Some(value) => {
                self.present.push(name.clone());
                if value.is_null() {
                    self.nulls.push(name.clone());
                }
            }
            None => self.absent.push(name.clone()),
        }
    }

    fn has_change(&self) -> bool {
        !self.removable.is_empty()
            || !self.keepable.is_empty()
            || !self.addable.is_empty()
            || !self.changeable.is_empty()
            || self.combined.is_some()
    }

    /// Returns the state of the fields, as the first part of the advice.
    fn state(&self) -> String {
        let mut states: Vec<String> = Vec::new();
        for (name, value) in &self.selectors {
            states.push(format!("`{name}` is {value}"));
        }
        match &*self.present {
            [] if self.absent.is_empty() => {}
            [] => states.push(match &*self.absent {
                [name] => format!("`{name}` is not set"),
                names => format!("none of {} is set", quoted_list(names, ", ")),
            }),
            [name] => states.push(format!("`{name}` is set")),
            [first, second] => states.push(format!("`{first}` and `{second}` are both set")),
            names => states.push(format!("{} are set", quoted_list(names, " and "))),
        }
        let mut state = states.join(", ");
        if !self.nulls.is_empty() {
            state.push_str(" (a null counts as set)");
        }
        state
    }

    /// Returns the changes, each of which satisfies the combinators.
    fn changes(&self) -> Vec<String> {
        let mut changes = Vec::new();
        let is_null = |name: &&String| self.nulls.contains(name);
        let removable_nulls: Vec<String> = self.removable.iter().filter(is_null).cloned().collect();
        if !removable_nulls.is_empty() {
            let names = quoted_list(&removable_nulls, " or ");
            changes.push(format!("remove {names}, which is null"));
        } else if !self.removable.is_empty() {
            changes.push(format!("remove {}", quoted_list(&self.removable, " or ")));
        }
        if !self.keepable.is_empty() && self.keepable.len() == self.present.len() {
            changes.push("remove all but one".to_owned());
        } else if !self.keepable.is_empty() {
            let names = quoted_list(&self.keepable, " or ");
            changes.push(format!("remove all but {names}"));
        }
        if !self.addable.is_empty() {
            changes.push(format!("set {}", quoted_list(&self.addable, " or ")));
        }
        for (name, value) in &self.changeable {
            changes.push(format!("set `{name}` to {value}"));
        }
        if let Some(change) = &self.combined {
            let CombinedChange {
                removed,
                added,
                changed,
            } = change;
            let verbs = [("remove", removed), ("set", added)];
            let verbs = verbs.into_iter().filter(|(_, names)| !names.is_empty());
            let parts =
                verbs.map(|(verb, names)| format!("{verb} {}", quoted_list(names, " and ")));
            let value = changed
                .iter()
                .map(|(name, value)| format!("set `{name}` to {value}"));
            changes.push(parts.chain(value).collect::<Vec<_>>().join(" and "));
        }
        changes
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.state(), self.changes().join(", or "))
    }
}

/// Returns a list of names in backticks.
fn quoted_list(names: &[String], last_separator: &str) -> String {
    let mut list = String::new();
    for (index, name) in names.iter().enumerate() {
        let separator = match index {
            0 => "",
            index if index + 1 == names.len() => last_separator,
            _ => ", ",
        };
        // Writing to a String cannot fail.
        let _ = write!(list, "{separator}`{name}`");
    }
    list
}
