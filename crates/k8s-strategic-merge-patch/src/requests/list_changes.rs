//! The changes of a list in which elements share their merge key: the patches, and the lists that
//! result when a server applies the patches.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::pairs::permutation;
use super::shared_group::{DocumentLists, Group, SharedListPatch};
use crate::diff::diff_list::{deletion, element_order, single_entry_object};
use crate::elements::scalar::to_sort_string;
use crate::merge::directive_names::{
    DIRECTIVE_MARKER, REPLACE_DIRECTIVE, SET_ELEMENT_ORDER_PREFIX, directive_key,
};
use crate::merge::merge::Merger;
use crate::merge::merge_order::{SortKey, sorted_indices};
use crate::schema::schema::NodeId;
use union_runtime::path::Path;

/// An element of the list that the patch should result in, with its positions in the lists of the
/// documents.
pub(super) struct WantedElement {
    pub(super) value: Value,
    pub(super) modified: Option<usize>,
    pub(super) original: Option<usize>,
    pub(super) current: Option<usize>,
}

/// The changes of a list.
#[derive(Default)]
pub(super) struct Changes {
    /// The wanted elements of each group.
    pub(super) wanted: Vec<Vec<WantedElement>>,
    /// The changed and new elements, with their positions in the modified list.
    pub(super) items: Vec<(usize, Value)>,
    /// The keys of deleted elements, each once, with their strings.
    pub(super) deleted: Vec<(String, Value)>,
}

/// The list that results when a server applies a patch, compared with the wanted elements.
pub(super) struct ServerResult {
    /// The wanted elements in the order of the list.
    order: Vec<WantedIndex>,
    /// The groups whose elements in the list are not exactly the wanted elements.
    pub(super) wrong_groups: Vec<usize>,
}

/// The position of a wanted element in [`Changes::wanted`].
#[derive(Clone, Copy, PartialEq, Eq)]
struct WantedIndex {
    group: usize,
    element: usize,
}

/// The list in its object, as a server patches it.
#[derive(Clone, Copy)]
pub(super) struct PatchedList<'s, 'a> {
    pub(super) merger: Merger<'s>,
    pub(super) node: NodeId,
    pub(super) name: &'a str,
    pub(super) merge_key: &'a str,
    pub(super) location: &'a Path<'a>,
}

impl Changes {
    /// Returns the patch that merges elements by their keys.
    pub(super) fn merging_patch(&self, lists: &DocumentLists, merge_key: &str) -> SharedListPatch {
        let mut items: Vec<&(usize, Value)> = self.items.iter().collect();
        items.sort_by_key(|(position, _)| *position);
        let items = items.into_iter().map(|(_, item)| item.clone());
        let mut items: Vec<Value> = items.collect();
        let mut deleted: Vec<&(String, Value)> = self.deleted.iter().collect();
        deleted.sort_by_key(|(key_string, _)| key_string);
        let deletions = deleted.into_iter().map(|(_, key)| deletion(merge_key, key));
        items.extend(deletions);
        let [current_keys, modified_keys] =
            [&lists.current, &lists.modified].map(|list| keys(list, merge_key).collect::<Vec<_>>());
        let order = element_order(merge_key, [&current_keys, &modified_keys], &items, true);
        SharedListPatch { items, order }
    }

    /// Returns the patch that replaces the list. The order of the groups is the order in which a
    /// server sorts a list that has one element with each key.
    pub(super) fn replacing_patch(
        &self,
        lists: &DocumentLists,
        groups: &[Group<'_>],
        list: PatchedList<'_, '_>,
    ) -> SharedListPatch {
        let merge_key = list.merge_key;
        let key_object = |key: &Value| Value::Object(single_entry_object(merge_key, key));
        let (mut new_keys, mut deletions) = (Vec::new(), Vec::new());
        for (group, wanted) in groups.iter().zip(&self.wanted) {
            match wanted.first() {
                Some(item) if group.current.is_empty() => {
                    new_keys.extend(item.value.get(merge_key).map(key_object));
                }
                Some(_) => {}
                None => {
                    let position = group.current.first();
                    let element = position.and_then(|position| lists.current.get(*position));
                    let key = element.and_then(|element| element.get(merge_key));
                    deletions.extend(key.map(|key| deletion(merge_key, key)));
                }
            }
        }
        new_keys.extend(deletions);
        let key_patch = SharedListPatch {
            items: new_keys,
            order: keys(&lists.modified, merge_key).map(key_object).collect(),
        };
        let live: Vec<Value> = keys(&lists.current, merge_key).map(key_object).collect();
        let sorted_list = list.apply(&key_patch, &live).unwrap_or_default();
        let group_by_key = group_indices(groups);
        let sorted_keys = keys(&sorted_list, merge_key).map(to_sort_string);
        let sorted_groups =
            sorted_keys.filter_map(|key_string| group_by_key.get(&*key_string).copied());
        let mut remaining: Vec<Option<&Vec<WantedElement>>> =
            self.wanted.iter().map(Some).collect();
        let mut items = vec![json!({ DIRECTIVE_MARKER: REPLACE_DIRECTIVE })];
        // The groups that the server did not sort follow.
        for index in sorted_groups.chain(0..groups.len()) {
            let wanted_elements = remaining.get_mut(index).and_then(Option::take);
            items.extend(
                wanted_elements
                    .into_iter()
                    .flatten()
                    .map(|item| item.value.clone()),
            );
        }
        SharedListPatch {
            items,
            order: Vec::new(),
        }
    }

    /// Compares the list in a server's result with the wanted elements. `None` means that the
    /// server rejected the patch: then all groups with a shared key are wrong.
    pub(super) fn compare_result(
        &self,
        list: Option<Vec<Value>>,
        groups: &[Group<'_>],
        merge_key: &str,
    ) -> ServerResult {
        let Some(list) = list else {
            let indexed_groups = groups.iter().enumerate();
            let shared_groups = indexed_groups.filter(|(_, group)| group.is_shared());
            return ServerResult {
                order: Vec::new(),
                wrong_groups: shared_groups.map(|(index, _)| index).collect(),
            };
        };
        let group_by_key = group_indices(groups);
        let mut elements_of_group: Vec<Vec<&Value>> = vec![Vec::new(); groups.len()];
        let group_of_element = list.iter().map(|element| {
            let key_string = element.get(merge_key).map(to_sort_string);
            let group = key_string.and_then(|key_string| group_by_key.get(&*key_string).copied());
            // Each key is in the patch or in the live list, so it always has a group.
            let group = group.unwrap_or_default();
            if let Some(elements) = elements_of_group.get_mut(group) {
                elements.push(element);
            }
            group
        });
        let group_of_element: Vec<usize> = group_of_element.collect();
        let mut wrong_groups = Vec::new();
        let mut orders = Vec::with_capacity(groups.len());
        for (index, (elements, wanted)) in elements_of_group.iter().zip(&self.wanted).enumerate() {
            let wanted: Vec<&Value> = wanted.iter().map(|item| &item.value).collect();
            let order = permutation(elements, &wanted);
            wrong_groups.extend(order.is_none().then_some(index));
            orders.push(order.unwrap_or_default().into_iter());
        }
        let order = group_of_element.into_iter().filter_map(|group| {
            let element = orders.get_mut(group)?.next()?;
            Some(WantedIndex { group, element })
        });
        ServerResult {
            order: order.collect(),
            wrong_groups,
        }
    }

    /// Returns the groups that have an element at another position than the author wants. If the
    /// author did not change the order, the order of the live list is accepted too.
    pub(super) fn groups_out_of_order(
        &self,
        result: &ServerResult,
        groups: &[Group<'_>],
    ) -> Vec<usize> {
        let item = |index: &WantedIndex| self.wanted.get(index.group)?.get(index.element);
        let is_authored =
            |index: &&WantedIndex| item(index).is_some_and(|item| item.modified.is_some());
        let authored_order: Vec<WantedIndex> =
            result.order.iter().filter(is_authored).copied().collect();
        // The wanted order of the groups; the elements of each group are already sorted.
        let mut group_order: Vec<(Option<usize>, usize)> = Vec::with_capacity(authored_order.len());
        for index in &authored_order {
            group_order.push((item(index).and_then(|item| item.modified), index.group));
        }
        group_order.sort_unstable();
        let mut next_elements = vec![0; groups.len()];
        let wanted_order = group_order.iter().filter_map(|(_, group)| {
            let next_element = next_elements.get_mut(*group)?;
            let items = self
                .wanted
                .get(*group)?
                .iter()
                .enumerate()
                .skip(*next_element);
            let (element, _) = items
                .into_iter()
                .find(|(_, item)| item.modified.is_some())?;
            *next_element = element + 1;
            Some(WantedIndex {
                group: *group,
                element,
            })
        });
        let wanted_order: Vec<WantedIndex> = wanted_order.collect();
        let items = || authored_order.iter().filter_map(item);
        let has_live_order = items().filter_map(|item| item.current).is_sorted();
        let is_only_order_of_others =
            has_live_order && items().all(|item| item.original.is_some()) && !is_reordered(items());
        if is_only_order_of_others {
            return Vec::new();
        }
        let differences = wanted_order
            .iter()
            .zip(&authored_order)
            .filter(|(wanted, actual)| wanted != actual);
        let misplaced_groups =
            differences.flat_map(|(wanted, actual)| [wanted.group, actual.group]);
        let misplaced_groups: BTreeSet<usize> = misplaced_groups
            .filter(|group| groups.get(*group).is_some_and(Group::is_shared))
            .collect();
        misplaced_groups.into_iter().collect()
    }
}

impl PatchedList<'_, '_> {
    /// Applies a patch to the live list as a server does; returns `None` if the server rejects the
    /// patch.
    pub(super) fn apply(self, patch: &SharedListPatch, live: &[Value]) -> Option<Vec<Value>> {
        let mut target = Map::new();
        target.insert(self.name.to_owned(), live.to_vec().into());
        let mut object = Map::new();
        if !patch.items.is_empty() {
            object.insert(self.name.to_owned(), patch.items.clone().into());
        }
        if !patch.order.is_empty() {
            object.insert(
                directive_key(SET_ELEMENT_ORDER_PREFIX, self.name),
                patch.order.clone().into(),
            );
        }
        let merged = self
            .merger
            .merge_object(&mut target, &object, self.node, self.location);
        merged.ok()?;
        match target.remove(self.name) {
            Some(Value::Array(list)) => Some(list),
            _ => None,
        }
    }
}

/// Sorts the elements of a group. The elements of the author have the author's order, if the author
/// changed the order or the live list has the same order; otherwise they have the order of the live
/// list. The elements of others keep their positions.
pub(super) fn sort_wanted(items: Vec<WantedElement>) -> Vec<WantedElement> {
    let mut authored_items: Vec<usize> = (0..items.len()).collect();
    let item = |index: &usize| items.get(*index);
    authored_items.retain(|index| item(index).is_some_and(|item| item.modified.is_some()));
    authored_items.sort_by_key(|index| item(index).and_then(|item| item.modified));
    let has_live_order = authored_items
        .iter()
        .filter_map(|index| item(index)?.current)
        .is_sorted();
    if !has_live_order && !is_reordered(items.iter()) {
        authored_items.sort_by_key(|index| {
            let current = item(index).and_then(|item| item.current);
            (current.is_none(), current)
        });
    }
    let mut wanted_positions = vec![None; items.len()];
    for (position, index) in authored_items.into_iter().enumerate() {
        if let Some(wanted_position) = wanted_positions.get_mut(index) {
            *wanted_position = Some(position);
        }
    }
    let sort_keys = items
        .iter()
        .zip(wanted_positions)
        .map(|(item, wanted_position)| SortKey {
            patch_position: wanted_position,
            live_position: item.current,
            is_deletion: false,
        });
    let order = sorted_indices(&sort_keys.collect::<Vec<_>>());
    let mut items: Vec<Option<WantedElement>> = items.into_iter().map(Some).collect();
    let sorted_items = order
        .into_iter()
        .filter_map(|index| items.get_mut(index)?.take());
    sorted_items.collect()
}

/// Returns true if the author changed the order of the elements.
fn is_reordered<'i>(items: impl Iterator<Item = &'i WantedElement>) -> bool {
    let positions = items.filter_map(|item| Some((item.modified?, item.original?)));
    let mut positions: Vec<(usize, usize)> = positions.collect();
    positions.sort_unstable();
    !positions.iter().map(|(_, original)| original).is_sorted()
}

/// Returns the indices of groups by the strings of their keys.
fn group_indices<'t>(groups: &[Group<'t>]) -> HashMap<&'t str, usize> {
    let indexed_groups = groups.iter().enumerate();
    indexed_groups
        .map(|(index, group)| (group.key, index))
        .collect()
}

/// Returns the keys of the elements of a list.
fn keys<'v>(list: &'v [Value], merge_key: &str) -> impl Iterator<Item = &'v Value> {
    list.iter()
        .filter_map(move |element| element.get(merge_key))
}
