//! The patch of a list in which elements share their merge key.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::list_changes::{Changes, PatchedList, WantedElement, sort_wanted};
use super::pairs::MAX_COMPARED;
use super::shared_group::{AuthoredPositions, DocumentLists, Group, PairedGroup, SharedListPatch};
use super::shared_keys::{ComparisonForm, Documents, SharedKeyDiffer};
use crate::conflict::Conflict;
use crate::diff::diff_list::deletion;
use crate::elements::deep_key::DeepKey;
use crate::elements::scalar::to_sort_string;
use crate::elements::warning::{PatchWarning, PatchWarningKind};
use crate::error::PatchError;
use crate::merge::merge::Merger;
use crate::merge::merge_target::MergeTarget;
use crate::merge::strip_directives::strip_new_element;
use crate::schema::schema::{FieldPatchMeta, NodeId};
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::{Path, PathStep};

impl<'s> SharedKeyDiffer<'s> {
    /// Returns the patch of a list in a field of the object with the schema `node`; `None` if
    /// nothing changes.
    pub(super) fn diff_list(
        &mut self,
        lists: &DocumentLists,
        field: &FieldPatchMeta<'_>,
        (node, name): (NodeId, &str),
        location: &Path<'_>,
    ) -> Result<Option<SharedListPatch>, PatchError> {
        let list_location = location.field(name);
        let groups = lists.groups();
        let mut changes = Changes::default();
        for group in &groups {
            let paired_group = group.pair(lists, field.merge_key, self.is_two_way());
            self.diff_group(
                &mut changes,
                group,
                &paired_group,
                lists,
                field,
                &list_location,
            )?;
        }
        let list = PatchedList {
            merger: self.server_merger(),
            node,
            name,
            merge_key: field.merge_key,
            location,
        };
        let mut add_warning = |kind, group_indices: &[usize]| {
            let groups = group_indices
                .iter()
                .filter_map(|position| groups.get(*position));
            let elements = groups.flat_map(|group| group.elements(lists)).collect();
            let warning = PatchWarning::new(kind, field.merge_key, elements, &list_location);
            self.warnings.push(warning);
        };
        let patch = changes.merging_patch(lists, field.merge_key);
        let server_result =
            changes.compare_result(list.apply(&patch, &lists.current), &groups, field.merge_key);
        let (patch, server_result) = if server_result.wrong_groups.is_empty() {
            (patch, server_result)
        } else {
            let replacing_patch = changes.replacing_patch(lists, &groups, list);
            let replaced_list = list.apply(&replacing_patch, &lists.current);
            let result_of_replacement =
                changes.compare_result(replaced_list, &groups, field.merge_key);
            if result_of_replacement.wrong_groups.is_empty() {
                add_warning(PatchWarningKind::ListReplaced, &server_result.wrong_groups);
                (replacing_patch, result_of_replacement)
            } else {
                add_warning(
                    PatchWarningKind::NotExpressible,
                    &server_result.wrong_groups,
                );
                return Ok(Some(patch));
            }
        };
        for group in changes.groups_out_of_order(&server_result, &groups) {
            add_warning(PatchWarningKind::OrderNotChanged, &[group]);
        }
        let is_empty = patch.items.is_empty() && patch.order.is_empty();
        Ok((!is_empty).then_some(patch))
    }

    /// Adds the changes of a group, and warns about ambiguous pairs.
    fn diff_group(
        &mut self,
        changes: &mut Changes,
        group: &Group<'_>,
        paired_group: &PairedGroup,
        lists: &DocumentLists,
        field: &FieldPatchMeta<'_>,
        list_location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let previous_count = changes.items.len() + changes.deleted.len();
        let mut wanted_elements = Vec::new();
        for authored in &paired_group.authored {
            let location = list_location.step(PathStep::Key(group.key));
            let value = self.diff_element(changes, *authored, lists, field, &location)?;
            wanted_elements.extend(value.map(|value| WantedElement {
                value,
                modified: authored.modified,
                original: authored.original,
                current: authored.current,
            }));
        }
        for position in &paired_group.others {
            wanted_elements.extend(lists.current.get(*position).map(|value| WantedElement {
                value: value.clone(),
                modified: None,
                original: None,
                current: Some(*position),
            }));
        }
        changes.wanted.push(sort_wanted(wanted_elements));
        let has_effect = previous_count < changes.items.len() + changes.deleted.len();
        let ambiguous_elements = self.ambiguous_elements(paired_group, lists, has_effect);
        if !ambiguous_elements.is_empty() {
            let warning = if paired_group.are_paired_by_position {
                PatchWarning::paired_by_position(
                    MAX_COMPARED,
                    field.merge_key,
                    ambiguous_elements,
                    list_location,
                )
            } else {
                let kind = PatchWarningKind::AmbiguousElements;
                PatchWarning::new(kind, field.merge_key, ambiguous_elements, list_location)
            };
            self.warnings.push(warning);
        }
        Ok(())
    }

    /// Returns the elements of a group whose pairs are ambiguous, if other pairs would have another
    /// result: the live elements and the wanted elements, without duplicates.
    fn ambiguous_elements(
        &self,
        paired_group: &PairedGroup,
        lists: &DocumentLists,
        has_effect: bool,
    ) -> Vec<Value> {
        let original_list = self.originals(lists);
        // Other pairs have another result only if they move fields of others to another element.
        let has_other_fields = |authored: &&AuthoredPositions| {
            let original = authored
                .original
                .and_then(|position| original_list.get(position));
            let current = authored
                .current
                .and_then(|position| lists.current.get(position));
            let original_and_current = original.zip(current);
            original_and_current.is_some_and(|(original, current)| !deep_equal(original, current))
        };
        let mut authored_elements = paired_group
            .authored
            .iter()
            .filter(|authored| authored.is_ambiguous);
        let has_ambiguous_authored = authored_elements.any(|authored| has_other_fields(&authored));
        let has_ambiguous_current = has_effect || !paired_group.others.is_empty();
        let ambiguous_authored = paired_group.authored.iter().filter(|authored| {
            authored.is_ambiguous && has_ambiguous_authored
                || authored.is_current_ambiguous && has_ambiguous_current
        });
        let ambiguous_authored: Vec<&AuthoredPositions> = ambiguous_authored.collect();
        let ambiguous_others = paired_group
            .ambiguous_others
            .iter()
            .filter(|_| has_ambiguous_current);
        let live_elements = ambiguous_authored
            .iter()
            .filter_map(|authored| authored.current);
        let live_elements = live_elements.chain(ambiguous_others.copied());
        let live_elements = live_elements.filter_map(|position| lists.current.get(position));
        let wanted_elements = ambiguous_authored.iter().filter_map(|authored| {
            let modified = authored
                .modified
                .and_then(|position| lists.modified.get(position));
            let original = || {
                authored
                    .original
                    .and_then(|position| original_list.get(position))
            };
            modified.or_else(|| original().filter(|_| authored.current.is_none()))
        });
        let mut seen_elements = HashSet::new();
        let distinct_elements = live_elements
            .chain(wanted_elements)
            .filter(|element| seen_elements.insert(DeepKey(element)));
        distinct_elements.cloned().collect()
    }

    /// Adds the change of an element, and returns the wanted element; `None` if it is removed.
    fn diff_element(
        &mut self,
        changes: &mut Changes,
        authored: AuthoredPositions,
        lists: &DocumentLists,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<Option<Value>, PatchError> {
        let element_at = |list: &[Value], position: Option<usize>| {
            position.and_then(|position| list.get(position)).cloned()
        };
        let original = element_at(self.originals(lists), authored.original);
        let current = element_at(&lists.current, authored.current);
        let position = authored.modified.unwrap_or_default();
        match (element_at(&lists.modified, authored.modified), current) {
            (Some(Value::Object(modified)), Some(Value::Object(current))) => {
                let key = modified.get(field.merge_key).cloned();
                let mut value = current.clone();
                let original = original
                    .filter(|_| !self.is_two_way())
                    .and_then(into_object);
                let documents = Documents {
                    original,
                    modified,
                    current,
                };
                let patch = self.diff_object(documents, field.node, field.retain_keys, location)?;
                if let Some(mut patch) = patch {
                    self.server_merger()
                        .merge_object(&mut value, &patch, field.node, location)?;
                    patch.extend(key.map(|key| (field.merge_key.to_owned(), key)));
                    changes.items.push((position, patch.into()));
                }
                Ok(Some(value.into()))
            }
            (Some(modified), _) => {
                self.compare_versions(original.as_ref(), &modified, field, location)?;
                self.add_conflict_of_addition(original.as_ref(), &modified, field, location);
                let value = strip_new_element(&modified, MergeTarget::Object);
                changes.items.push((position, modified));
                Ok(value)
            }
            (None, Some(current)) => {
                self.add_conflict_of_deletion(original.as_ref(), &current, field, location);
                if let Some(key) = current.get(field.merge_key) {
                    let key_string = to_sort_string(key);
                    // The elements of a group follow each other.
                    let last_deleted = changes.deleted.last();
                    if last_deleted.is_none_or(|(last_string, _)| *last_string != key_string) {
                        changes.deleted.push((key_string.into_owned(), key.clone()));
                    }
                }
                Ok(None)
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns the algorithm by which a server applies the patch.
    fn server_merger(&self) -> Merger<'s> {
        Merger {
            schema: self.schema,
            target: MergeTarget::Object,
            is_own_patch: false,
        }
    }

    fn is_two_way(&self) -> bool {
        matches!(self.form, ComparisonForm::TwoWay(_))
    }

    fn originals<'l>(&self, lists: &'l DocumentLists) -> &'l [Value] {
        if self.is_two_way() {
            &lists.current
        } else {
            &lists.original
        }
    }

    /// Compares the author's versions of an element that the live list does not have, and returns
    /// the error of the comparison.
    fn compare_versions(
        &self,
        original: Option<&Value>,
        modified: &Value,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) -> Result<(), PatchError> {
        let (Some(Value::Object(original)), Value::Object(modified)) = (original, modified) else {
            return Ok(());
        };
        let documents = Documents {
            original: None,
            modified: modified.clone(),
            current: original.clone(),
        };
        let mut comparison = self.author_comparison();
        comparison.diff_object(documents, field.node, field.retain_keys, location)?;
        Ok(())
    }

    /// Adds a conflict if others removed an element that the author still wants.
    fn add_conflict_of_addition(
        &mut self,
        original: Option<&Value>,
        modified: &Value,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) {
        if let (
            ComparisonForm::ThreeWay {
                finds_conflicts: true,
            },
            Some(original),
        ) = (self.form, original)
        {
            let deletion = deletion_of(original, field.merge_key);
            self.add_conflict(Conflict::new(modified.clone(), deletion, location));
        }
    }

    /// Adds a conflict if others changed an element that the author removes.
    fn add_conflict_of_deletion(
        &mut self,
        original: Option<&Value>,
        current: &Value,
        field: &FieldPatchMeta<'_>,
        location: &Path<'_>,
    ) {
        if let (
            ComparisonForm::ThreeWay {
                finds_conflicts: true,
            },
            Some(Value::Object(original)),
            Value::Object(fields),
        ) = (self.form, original, current)
            && let Some(live_changes) =
                self.changes_of_others(original, fields, field.node, location)
        {
            let deletion = deletion_of(current, field.merge_key);
            self.add_conflict(Conflict::new(deletion, live_changes.into(), location));
        }
    }
}

/// Returns the patch that deletes an element.
fn deletion_of(element: &Value, merge_key: &str) -> Value {
    let key = element.get(merge_key).unwrap_or(&Value::Null);
    deletion(merge_key, key)
}

fn into_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}
