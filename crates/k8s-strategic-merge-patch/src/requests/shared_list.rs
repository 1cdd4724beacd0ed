//! The patch of a list in which elements share their merge key.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::list_changes::{Changes, Item, PatchedList, in_wanted_order};
use super::pairs::MOST;
use super::shared_group::{Authored, DocumentLists, Group, Paired, SharedListPatch};
use super::shared_keys::{Documents, Form, SharedKeys};
use crate::conflict::Conflict;
use crate::diff::diff_list::deletion;
use crate::elements::deep_key::DeepKey;
use crate::elements::scalar::to_sort_string;
use crate::elements::warning::{PatchWarning, PatchWarningKind};
use crate::error::PatchError;
use crate::merge::merge::{MergeTarget, Merger};
use crate::merge::strip_directives::strip_new_element;
use crate::schema::schema::{FieldPatchMeta, NodeId};
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::{Path, PathStep};

impl<'s> SharedKeys<'s> {
    /// Returns the patch of a list in a field of the object with the schema `node`; `None` if
    /// nothing changes.
    pub(super) fn list(
        &mut self,
        lists: &DocumentLists,
        field: &FieldPatchMeta<'_>,
        (node, name): (NodeId, &str),
        at: &Path<'_>,
    ) -> Result<Option<SharedListPatch>, PatchError> {
        let at_list = at.field(name);
        let groups = lists.groups();
        let mut changes = Changes::default();
        for group in &groups {
            let paired = group.pair(lists, field.merge_key, self.is_two_way());
            self.group(&mut changes, group, &paired, lists, field, &at_list)?;
        }
        let list = PatchedList {
            merge: self.server(),
            node,
            name,
            merge_key: field.merge_key,
            at,
        };
        let mut warn = |kind, of_groups: &[usize]| {
            let groups = of_groups.iter().filter_map(|at| groups.get(*at));
            let elements = groups.flat_map(|group| group.elements(lists)).collect();
            let warning = PatchWarning::new(kind, field.merge_key, elements, &at_list);
            self.warnings.push(warning);
        };
        let patch = changes.ordinary(lists, field.merge_key);
        let outcome = changes.outcome(list.apply(&patch, &lists.current), &groups, field.merge_key);
        let (patch, outcome) = if outcome.wrong_groups.is_empty() {
            (patch, outcome)
        } else {
            let replacing = changes.replacing(lists, &groups, list);
            let result = list.apply(&replacing, &lists.current);
            let replaced = changes.outcome(result, &groups, field.merge_key);
            if replaced.wrong_groups.is_empty() {
                warn(PatchWarningKind::ListReplaced, &outcome.wrong_groups);
                (replacing, replaced)
            } else {
                warn(PatchWarningKind::NotExpressible, &outcome.wrong_groups);
                return Ok(Some(patch));
            }
        };
        for group in changes.groups_out_of_order(&outcome, &groups) {
            warn(PatchWarningKind::OrderNotChanged, &[group]);
        }
        let is_empty = patch.items.is_empty() && patch.order.is_empty();
        Ok((!is_empty).then_some(patch))
    }

    /// Adds the changes of a group.
    fn group(
        &mut self,
        changes: &mut Changes,
        group: &Group<'_>,
        paired: &Paired,
        lists: &DocumentLists,
        field: &FieldPatchMeta<'_>,
        at_list: &Path<'_>,
    ) -> Result<(), PatchError> {
        let count = changes.items.len() + changes.deleted.len();
        let mut wanted = Vec::new();
        for authored in &paired.authored {
            let at = at_list.step(PathStep::Key(group.text));
            let value = self.element(changes, *authored, lists, field, &at)?;
            wanted.extend(value.map(|value| Item {
                value,
                modified: authored.modified,
                original: authored.original,
                current: authored.current,
            }));
        }
        for other in &paired.others {
            wanted.extend(lists.current.get(*other).map(|value| Item {
                value: value.clone(),
                modified: None,
                original: None,
                current: Some(*other),
            }));
        }
        changes.wanted.push(in_wanted_order(wanted));
        let has_effect = count < changes.items.len() + changes.deleted.len();
        let unclear = self.ambiguous_elements(paired, lists, has_effect);
        if !unclear.is_empty() {
            let warning = if paired.are_in_order {
                PatchWarning::of_many(MOST, field.merge_key, unclear, at_list)
            } else {
                let kind = PatchWarningKind::AmbiguousElements;
                PatchWarning::new(kind, field.merge_key, unclear, at_list)
            };
            self.warnings.push(warning);
        }
        Ok(())
    }

    /// Returns the elements of a group whose pairs are ambiguous, if another pair would have
    /// another result: the live elements, and other elements that differ from all of them.
    fn ambiguous_elements(
        &self,
        paired: &Paired,
        lists: &DocumentLists,
        has_effect: bool,
    ) -> Vec<Value> {
        let originals = self.originals(lists);
        // Only fields of others can get into another element of the author.
        let has_other_fields = |authored: &&Authored| {
            let original = authored.original.and_then(|at| originals.get(at));
            let current = authored.current.and_then(|at| lists.current.get(at));
            let both = original.zip(current);
            both.is_some_and(|(original, current)| !deep_equal(original, current))
        };
        let mut own = paired.authored.iter().filter(|each| each.is_ambiguous);
        let is_own_unclear = own.any(|authored| has_other_fields(&authored));
        let is_current_unclear = has_effect || !paired.others.is_empty();
        let unclear = paired.authored.iter().filter(|authored| {
            authored.is_ambiguous && is_own_unclear
                || authored.is_current_ambiguous && is_current_unclear
        });
        let unclear: Vec<&Authored> = unclear.collect();
        let others = paired
            .ambiguous_others
            .iter()
            .filter(|_| is_current_unclear);
        let live = unclear.iter().filter_map(|authored| authored.current);
        let live = live.chain(others.copied());
        let live = live.filter_map(|at| lists.current.get(at));
        let wanted = unclear.iter().filter_map(|authored| {
            let modified = authored.modified.and_then(|at| lists.modified.get(at));
            let original = || authored.original.and_then(|at| originals.get(at));
            modified.or_else(|| original().filter(|_| authored.current.is_none()))
        });
        let mut seen = HashSet::new();
        let different = live
            .chain(wanted)
            .filter(|element| seen.insert(DeepKey(element)));
        different.cloned().collect()
    }

    /// Adds the change of an element, and returns the wanted element; `None` if it is removed.
    fn element(
        &mut self,
        changes: &mut Changes,
        authored: Authored,
        lists: &DocumentLists,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<Option<Value>, PatchError> {
        let in_list = |list: &[Value], at: Option<usize>| at.and_then(|at| list.get(at)).cloned();
        let original = in_list(self.originals(lists), authored.original);
        let current = in_list(&lists.current, authored.current);
        let place = authored.modified.unwrap_or_default();
        match (in_list(&lists.modified, authored.modified), current) {
            (Some(Value::Object(modified)), Some(Value::Object(current))) => {
                let key = modified.get(field.merge_key).cloned();
                let mut value = current.clone();
                let original = original.filter(|_| !self.is_two_way()).and_then(object);
                let documents = Documents {
                    original,
                    modified,
                    current,
                };
                let patch = self.object(documents, field.node, field.retain_keys, at)?;
                if let Some(mut patch) = patch {
                    self.server()
                        .merge_object(&mut value, &patch, field.node, at)?;
                    patch.extend(key.map(|key| (field.merge_key.to_owned(), key)));
                    changes.items.push((place, patch.into()));
                }
                Ok(Some(value.into()))
            }
            (Some(modified), _) => {
                self.compare_versions(original.as_ref(), &modified, field, at)?;
                self.added(original.as_ref(), &modified, field, at);
                let value = strip_new_element(&modified, true);
                changes.items.push((place, modified));
                Ok(value)
            }
            (None, Some(current)) => {
                self.deleted(original.as_ref(), &current, field, at);
                if let Some(key) = current.get(field.merge_key) {
                    let key_text = to_sort_string(key);
                    let mut last = changes.deleted.iter().rev().take(1);
                    // The elements of a group follow each other.
                    if last.all(|(text, _)| *text != key_text) {
                        changes.deleted.push((key_text.into_owned(), key.clone()));
                    }
                }
                Ok(None)
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns the merge of a server.
    fn server(&self) -> Merger<'s> {
        Merger {
            schema: self.schema,
            target: MergeTarget::Object,
            is_own_patch: false,
        }
    }

    fn is_two_way(&self) -> bool {
        matches!(self.form, Form::TwoWay(_))
    }

    fn originals<'l>(&self, lists: &'l DocumentLists) -> &'l [Value] {
        if self.is_two_way() {
            &lists.current
        } else {
            &lists.original
        }
    }

    /// Compares the author's versions of an element that the live list lacks, and returns the error
    /// of the comparison.
    fn compare_versions(
        &self,
        original: Option<&Value>,
        modified: &Value,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        let (Some(Value::Object(original)), Value::Object(modified)) = (original, modified) else {
            return Ok(());
        };
        let documents = Documents {
            original: None,
            modified: modified.clone(),
            current: original.clone(),
        };
        let mut comparison = self.comparison_of_author();
        comparison.object(documents, field.node, field.retain_keys, at)?;
        Ok(())
    }

    /// Adds a conflict if others removed an element that the author still wants.
    fn added(
        &mut self,
        original: Option<&Value>,
        modified: &Value,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) {
        if let (Form::ThreeWay(true), Some(original)) = (self.form, original) {
            let deletion = deletion_of(original, field.merge_key);
            self.add_conflict(Conflict::new(modified.clone(), deletion, at));
        }
    }

    /// Adds a conflict if others changed an element that the author removes.
    fn deleted(
        &mut self,
        original: Option<&Value>,
        current: &Value,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) {
        if let (Form::ThreeWay(true), Some(Value::Object(original)), Value::Object(fields)) =
            (self.form, original, current)
            && let Some(changed) = self.changes_of_others(original, fields, field.node, at)
        {
            let deletion = deletion_of(current, field.merge_key);
            self.add_conflict(Conflict::new(deletion, changed.into(), at));
        }
    }
}

/// Returns the patch that deletes an element.
fn deletion_of(element: &Value, merge_key: &str) -> Value {
    let key = element.get(merge_key).unwrap_or(&Value::Null);
    deletion(merge_key, key)
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}
