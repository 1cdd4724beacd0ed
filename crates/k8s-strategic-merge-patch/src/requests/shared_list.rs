//! The patch of a list in which elements share their merge key.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::pairs::MOST;
use super::shared_group::{Authored, DocumentLists, Group, Paired, SharedListPatch};
use super::shared_keys::{Documents, Form, SharedKeys};
use crate::conflict::Conflict;
use crate::diff::diff_list::{are_reordered, deletion, single_entry_objects};
use crate::elements::scalar::to_sort_string;
use crate::elements::warning::{PatchWarning, PatchWarningKind};
use crate::error::PatchError;
use crate::merge::directive_names::{
    DIRECTIVE_MARKER, REPLACE_DIRECTIVE, SET_ELEMENT_ORDER_PREFIX, directive_key,
};
use crate::merge::merge::{MergeTarget, Merger};
use crate::merge::merge_order::{SortKey, sorted_indices};
use crate::merge::strip_directives::strip_new_element;
use crate::schema::schema::{FieldPatchMeta, NodeId};
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::{Path, PathStep};

/// An element of the wanted list.
struct Item {
    value: Value,
    modified: Option<usize>,
    original: Option<usize>,
    current: Option<usize>,
}

/// The changes of a list.
#[derive(Default)]
struct Changes {
    /// The wanted elements of each group.
    wanted: Vec<Vec<Item>>,
    /// The changed and new elements, with their positions in the modified list.
    items: Vec<(usize, Value)>,
    /// The keys of deleted elements, each once, with their strings.
    deleted: Vec<(String, Value)>,
}

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
        let ordinary = changes.ordinary(lists, field.merge_key);
        let merge = self.server();
        let gives = |patch: &SharedListPatch| patch.apply(merge, lists, node, name, at);
        let mut warn = |kind, elements| {
            let warning = PatchWarning::new(kind, field.merge_key, elements, &at_list);
            self.warnings.push(warning);
        };
        let found = gives(&ordinary);
        if let Some(found) = found.filter(|found| changes.have_elements_of(found, field.merge_key))
        {
            let mut by_text = by_text(&found, field.merge_key);
            for (group, wanted) in groups.iter().zip(&changes.wanted) {
                let of_group = by_text.remove(group.text).unwrap_or_default();
                let values = wanted.iter().map(|item| &item.value);
                if are_moved(wanted) && !of_group.into_iter().eq(values) {
                    warn(PatchWarningKind::OrderNotChanged, group.elements(lists));
                }
            }
            let is_empty = ordinary.items.is_empty() && ordinary.order.is_empty();
            return Ok((!is_empty).then_some(ordinary));
        }
        let shared = groups.iter().map(|group| group.elements(lists));
        let shared: Vec<Value> = shared.filter(|group| group.len() > 1).flatten().collect();
        let replacing = changes.replacing(&groups);
        let found = gives(&replacing);
        if found.is_some_and(|found| changes.have_elements_of(&found, field.merge_key)) {
            warn(PatchWarningKind::ListReplaced, shared);
            return Ok(Some(replacing));
        }
        warn(PatchWarningKind::NotExpressible, shared);
        Ok(Some(ordinary))
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
        let originals = self.originals(lists);
        // Only fields of others can get into another element of the author.
        let has_other_fields = |authored: &Authored| {
            let original = authored.original.and_then(|at| originals.get(at));
            let current = authored.current.and_then(|at| lists.current.get(at));
            original
                .zip(current)
                .is_some_and(|(original, current)| !deep_equal(original, current))
        };
        let has_effect = count < changes.items.len() + changes.deleted.len();
        if paired.is_current_ambiguous && (has_effect || !paired.others.is_empty())
            || paired.is_authored_ambiguous && paired.authored.iter().any(has_other_fields)
        {
            let kind = PatchWarningKind::AmbiguousElements;
            let elements = group.different_elements(lists);
            let warning = PatchWarning::new(kind, field.merge_key, elements, at_list);
            self.warnings.push(warning);
        }
        Ok(())
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
                let value = strip_new_element(&modified, true);
                changes.items.push((place, modified));
                Ok(value)
            }
            (None, Some(current)) => {
                self.deleted(original, &current, field, at)?;
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

    /// Adds a conflict if others changed an element that the author removes.
    fn deleted(
        &mut self,
        original: Option<Value>,
        current: &Value,
        field: &FieldPatchMeta<'_>,
        at: &Path<'_>,
    ) -> Result<(), PatchError> {
        if let (Form::ThreeWay(true), Some(Value::Object(original)), Value::Object(current)) =
            (self.form, original, current)
            && let Some(changed) = self.changes_at(&original, current, field.node, at)?
        {
            let key = current.get(field.merge_key).cloned().unwrap_or_default();
            let deletion = deletion(field.merge_key, &key);
            let conflict = Conflict::of_deletion(deletion, changed.into(), at);
            self.add_conflict(conflict);
        }
        Ok(())
    }
}

impl Changes {
    /// Returns the patch that merges elements by their keys.
    fn ordinary(&self, lists: &DocumentLists, merge_key: &str) -> SharedListPatch {
        let mut items: Vec<&(usize, Value)> = self.items.iter().collect();
        items.sort_by_key(|(place, _)| *place);
        let items = items.into_iter().map(|(_, item)| item.clone());
        let mut items: Vec<Value> = items.collect();
        let mut deleted: Vec<&(String, Value)> = self.deleted.iter().collect();
        deleted.sort_by_key(|(text, _)| text);
        let deletions = deleted.into_iter().map(|(_, key)| deletion(merge_key, key));
        items.extend(deletions);
        let keys = |list: &'_ [Value]| -> Vec<Value> {
            list.iter()
                .filter_map(|item| item.get(merge_key).cloned())
                .collect()
        };
        let [news, currents] = [keys(&lists.modified), keys(&lists.current)];
        let [news, currents]: [Vec<&Value>; 2] = [news.iter().collect(), currents.iter().collect()];
        let wants_order =
            !currents.is_empty() && (!items.is_empty() || are_reordered(&currents, &news));
        let order = single_entry_objects(merge_key, if wants_order { &news } else { &[] });
        SharedListPatch { items, order }
    }

    /// Returns the patch that replaces the list: the elements that the author mentions in their
    /// order, the others in the order of the live list, as a server sorts them.
    fn replacing(&self, groups: &[Group<'_>]) -> SharedListPatch {
        let (mut values, mut ranks) = (Vec::new(), Vec::new());
        for (group, wanted) in groups.iter().zip(&self.wanted) {
            let live = wanted.iter().filter_map(|item| item.current).min();
            for item in wanted {
                values.push(&item.value);
                ranks.push(SortKey {
                    wanted: group.modified.first().copied(),
                    live,
                    is_deletion: false,
                });
            }
        }
        let mut items = vec![json!({ DIRECTIVE_MARKER: REPLACE_DIRECTIVE })];
        let sorted = sorted_indices(&ranks).into_iter();
        let sorted = sorted.filter_map(|at| values.get(at).copied().cloned());
        items.extend(sorted);
        SharedListPatch {
            items,
            order: Vec::new(),
        }
    }

    /// Returns true if a list has exactly the wanted elements. Their order does not count.
    fn have_elements_of(&self, list: &[Value], merge_key: &str) -> bool {
        let mut found = by_text(list, merge_key);
        let mut count = 0;
        let all_found = self.wanted.iter().all(|wanted| {
            count += wanted.len();
            let Some(first) = wanted.first() else {
                return true;
            };
            let key = first
                .value
                .get(merge_key)
                .map(to_sort_string)
                .unwrap_or_default();
            let Some(found) = found.get_mut(&*key) else {
                return false;
            };
            if wanted.len() > MOST {
                let values = wanted.iter().map(|item| &item.value);
                return found.len() == wanted.len()
                    && found
                        .iter()
                        .zip(values)
                        .all(|(found, value)| deep_equal(found, value));
            }
            wanted.iter().all(|item| {
                let position = found
                    .iter()
                    .position(|found| deep_equal(found, &item.value));
                position.map(|position| found.remove(position)).is_some()
            })
        });
        all_found && count == list.len()
    }
}

impl SharedListPatch {
    /// Returns the list that a server makes of the live list; `None` if it rejects the patch.
    fn apply(
        &self,
        merge: Merger<'_>,
        lists: &DocumentLists,
        node: NodeId,
        name: &str,
        at: &Path<'_>,
    ) -> Option<Vec<Value>> {
        let mut target = Map::new();
        target.insert(name.to_owned(), lists.current.clone().into());
        let mut patch = Map::new();
        if !self.items.is_empty() {
            patch.insert(name.to_owned(), self.items.clone().into());
        }
        if !self.order.is_empty() {
            patch.insert(
                directive_key(SET_ELEMENT_ORDER_PREFIX, name),
                self.order.clone().into(),
            );
        }
        merge.merge_object(&mut target, &patch, node, at).ok()?;
        match target.remove(name) {
            Some(Value::Array(list)) => Some(list),
            _ => None,
        }
    }
}

/// Sorts the elements of a group: the elements of the author in their order, if the author changed
/// it or the live list has the same; else in the order of the live list. The elements of others
/// stay where they are.
fn in_wanted_order(items: Vec<Item>) -> Vec<Item> {
    let mut authored: Vec<usize> = (0..items.len()).collect();
    let item = |at: &usize| items.get(*at);
    authored.retain(|at| item(at).is_some_and(|item| item.modified.is_some()));
    authored.sort_by_key(|at| item(at).and_then(|item| item.modified));
    let is_live_order = authored
        .iter()
        .filter_map(|at| item(at)?.current)
        .is_sorted();
    if !is_live_order && !are_moved(&items) {
        authored.sort_by_key(|at| {
            let current = item(at).and_then(|item| item.current);
            (current.is_none(), current)
        });
    }
    let mut wanted = vec![None; items.len()];
    for (place, at) in authored.into_iter().enumerate() {
        if let Some(wanted) = wanted.get_mut(at) {
            *wanted = Some(place);
        }
    }
    let ranks = items.iter().zip(wanted).map(|(item, wanted)| SortKey {
        wanted,
        live: item.current,
        is_deletion: false,
    });
    let order = sorted_indices(&ranks.collect::<Vec<_>>());
    let mut items: Vec<Option<Item>> = items.into_iter().map(Some).collect();
    let sorted = order.into_iter().filter_map(|at| items.get_mut(at)?.take());
    sorted.collect()
}

/// Returns true if the author changed the order of the elements.
fn are_moved(items: &[Item]) -> bool {
    let mut both: Vec<(usize, usize)> = items
        .iter()
        .filter_map(|item| Some((item.modified?, item.original?)))
        .collect();
    both.sort_unstable();
    !both.iter().map(|(_, original)| original).is_sorted()
}

/// Returns the elements of a list by the strings of their keys.
fn by_text<'v>(list: &'v [Value], merge_key: &str) -> HashMap<Cow<'v, str>, Vec<&'v Value>> {
    let mut found: HashMap<Cow<'v, str>, Vec<&'v Value>> = HashMap::new();
    for item in list {
        let key = item.get(merge_key).map(to_sort_string).unwrap_or_default();
        found.entry(key).or_default().push(item);
    }
    found
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}
