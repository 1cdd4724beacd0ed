//! The changes of a list in which elements share their merge key: as patches, and as the lists that
//! a server makes of the patches.

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

/// An element of the wanted list.
pub(super) struct Item {
    pub(super) value: Value,
    pub(super) modified: Option<usize>,
    pub(super) original: Option<usize>,
    pub(super) current: Option<usize>,
}

/// The changes of a list.
#[derive(Default)]
pub(super) struct Changes {
    /// The wanted elements of each group.
    pub(super) wanted: Vec<Vec<Item>>,
    /// The changed and new elements, with their positions in the modified list.
    pub(super) items: Vec<(usize, Value)>,
    /// The keys of deleted elements, each once, with their strings.
    pub(super) deleted: Vec<(String, Value)>,
}

/// A list that a server makes, compared with the wanted elements.
pub(super) struct Outcome {
    /// The wanted elements in the order of the list, by their groups and their positions there.
    order: Vec<(usize, usize)>,
    /// The groups of which the list does not have exactly the wanted elements.
    pub(super) wrong_groups: Vec<usize>,
}

/// The list in its object, as a server patches it.
#[derive(Clone, Copy)]
pub(super) struct PatchedList<'s, 'a> {
    pub(super) merge: Merger<'s>,
    pub(super) node: NodeId,
    pub(super) name: &'a str,
    pub(super) merge_key: &'a str,
    pub(super) at: &'a Path<'a>,
}

impl Changes {
    /// Returns the patch that merges elements by their keys.
    pub(super) fn ordinary(&self, lists: &DocumentLists, merge_key: &str) -> SharedListPatch {
        let mut items: Vec<&(usize, Value)> = self.items.iter().collect();
        items.sort_by_key(|(place, _)| *place);
        let items = items.into_iter().map(|(_, item)| item.clone());
        let mut items: Vec<Value> = items.collect();
        let mut deleted: Vec<&(String, Value)> = self.deleted.iter().collect();
        deleted.sort_by_key(|(text, _)| text);
        let deletions = deleted.into_iter().map(|(_, key)| deletion(merge_key, key));
        items.extend(deletions);
        let [currents, news] =
            [&lists.current, &lists.modified].map(|list| keys(list, merge_key).collect::<Vec<_>>());
        let order = element_order(merge_key, [&currents, &news], &items, true);
        SharedListPatch { items, order }
    }

    /// Returns the patch that replaces the list. The groups are in the order that a server makes
    /// of one element with each key.
    pub(super) fn replacing(
        &self,
        lists: &DocumentLists,
        groups: &[Group<'_>],
        list: PatchedList<'_, '_>,
    ) -> SharedListPatch {
        let merge_key = list.merge_key;
        let key_alone = |key: &Value| Value::Object(single_entry_object(merge_key, key));
        let (mut new, mut deleted) = (Vec::new(), Vec::new());
        for (group, wanted) in groups.iter().zip(&self.wanted) {
            let first = |positions: &[usize], list: &[Value]| {
                let first = positions.first().and_then(|at| list.get(*at));
                first.and_then(|element| element.get(merge_key)).cloned()
            };
            match wanted.first() {
                Some(item) if group.current.is_empty() => {
                    new.extend(item.value.get(merge_key).map(key_alone));
                }
                Some(_) => {}
                None => {
                    let key = first(&group.current, &lists.current);
                    deleted.extend(key.map(|key| deletion(merge_key, &key)));
                }
            }
        }
        new.extend(deleted);
        let of_keys = SharedListPatch {
            items: new,
            order: keys(&lists.modified, merge_key).map(key_alone).collect(),
        };
        let live: Vec<Value> = keys(&lists.current, merge_key).map(key_alone).collect();
        let sorted = list.apply(&of_keys, &live).unwrap_or_default();
        let position_of = group_positions(groups);
        let sorted = keys(&sorted, merge_key).map(to_sort_string);
        let sorted = sorted.filter_map(|text| position_of.get(&*text).copied());
        let mut left: Vec<Option<&Vec<Item>>> = self.wanted.iter().map(Some).collect();
        let mut items = vec![json!({ DIRECTIVE_MARKER: REPLACE_DIRECTIVE })];
        // The groups that the server did not sort follow.
        for at in sorted.chain(0..groups.len()) {
            let wanted = left.get_mut(at).and_then(Option::take);
            items.extend(wanted.into_iter().flatten().map(|item| item.value.clone()));
        }
        SharedListPatch {
            items,
            order: Vec::new(),
        }
    }

    /// Compares the list that a server made with the wanted elements. Without a list, because the
    /// server rejected the patch, all groups that share their key are wrong.
    pub(super) fn outcome(
        &self,
        list: Option<Vec<Value>>,
        groups: &[Group<'_>],
        merge_key: &str,
    ) -> Outcome {
        let Some(list) = list else {
            let numbered = groups.iter().enumerate();
            let shared = numbered.filter(|(_, group)| group.is_shared());
            return Outcome {
                order: Vec::new(),
                wrong_groups: shared.map(|(at, _)| at).collect(),
            };
        };
        let position_of = group_positions(groups);
        let mut found: Vec<Vec<&Value>> = vec![Vec::new(); groups.len()];
        let of_list = list.iter().map(|element| {
            let text = element.get(merge_key).map(to_sort_string);
            let position = text.and_then(|text| position_of.get(&*text).copied());
            // The keys of a list that a server made are the keys of its patch and the live list.
            let position = position.unwrap_or_default();
            if let Some(found) = found.get_mut(position) {
                found.push(element);
            }
            position
        });
        let of_list: Vec<usize> = of_list.collect();
        let mut wrong_groups = Vec::new();
        let mut orders = Vec::with_capacity(groups.len());
        for (at, (found, wanted)) in found.iter().zip(&self.wanted).enumerate() {
            let wanted: Vec<&Value> = wanted.iter().map(|item| &item.value).collect();
            let order = permutation(found, &wanted);
            wrong_groups.extend(order.is_none().then_some(at));
            orders.push(order.unwrap_or_default().into_iter());
        }
        let order = of_list.into_iter().filter_map(|group| {
            let item = orders.get_mut(group)?.next()?;
            Some((group, item))
        });
        Outcome {
            order: order.collect(),
            wrong_groups,
        }
    }

    /// Returns the groups of which an element is not where its author wants it. If the author did
    /// not change the order, the order of the live list is fine too.
    pub(super) fn groups_out_of_order(
        &self,
        outcome: &Outcome,
        groups: &[Group<'_>],
    ) -> Vec<usize> {
        let item = |(group, item): &(usize, usize)| self.wanted.get(*group)?.get(*item);
        let is_authored =
            |at: &&(usize, usize)| item(at).is_some_and(|item| item.modified.is_some());
        let found: Vec<(usize, usize)> =
            outcome.order.iter().filter(is_authored).copied().collect();
        // The elements of each group keep their places, and are in the wanted order.
        let mut places: Vec<(Option<usize>, usize)> = Vec::with_capacity(found.len());
        for at in &found {
            places.push((item(at).and_then(|item| item.modified), at.0));
        }
        places.sort_unstable();
        let mut next = vec![0; groups.len()];
        let wanted = places.iter().filter_map(|(_, group)| {
            let next = next.get_mut(*group)?;
            let items = self.wanted.get(*group)?.iter().enumerate().skip(*next);
            let (at, _) = items
                .into_iter()
                .find(|(_, item)| item.modified.is_some())?;
            *next = at + 1;
            Some((*group, at))
        });
        let wanted: Vec<(usize, usize)> = wanted.collect();
        let items = || found.iter().filter_map(item);
        let is_live_order = items().filter_map(|item| item.current).is_sorted();
        let is_order_of_others =
            is_live_order && items().all(|item| item.original.is_some()) && !are_moved(items());
        if is_order_of_others {
            return Vec::new();
        }
        let differ = wanted
            .iter()
            .zip(&found)
            .filter(|(one, other)| one != other);
        let differ = differ.flat_map(|(one, other)| [one.0, other.0]);
        let differ = differ.filter(|at| groups.get(*at).is_some_and(Group::is_shared));
        let differ: BTreeSet<usize> = differ.collect();
        differ.into_iter().collect()
    }
}

impl PatchedList<'_, '_> {
    /// Returns the list that a server makes of the live list; `None` if it rejects the patch.
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
            .merge
            .merge_object(&mut target, &object, self.node, self.at);
        merged.ok()?;
        match target.remove(self.name) {
            Some(Value::Array(list)) => Some(list),
            _ => None,
        }
    }
}

/// Sorts the elements of a group: the elements of the author in their order, if the author changed
/// it or the live list has the same; else in the order of the live list. The elements of others
/// stay where they are.
pub(super) fn in_wanted_order(items: Vec<Item>) -> Vec<Item> {
    let mut authored: Vec<usize> = (0..items.len()).collect();
    let item = |at: &usize| items.get(*at);
    authored.retain(|at| item(at).is_some_and(|item| item.modified.is_some()));
    authored.sort_by_key(|at| item(at).and_then(|item| item.modified));
    let is_live_order = authored
        .iter()
        .filter_map(|at| item(at)?.current)
        .is_sorted();
    if !is_live_order && !are_moved(items.iter()) {
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
fn are_moved<'i>(items: impl Iterator<Item = &'i Item>) -> bool {
    let both = items.filter_map(|item| Some((item.modified?, item.original?)));
    let mut both: Vec<(usize, usize)> = both.collect();
    both.sort_unstable();
    !both.iter().map(|(_, original)| original).is_sorted()
}

/// Returns the positions of groups by the strings of their keys.
fn group_positions<'t>(groups: &[Group<'t>]) -> HashMap<&'t str, usize> {
    let numbered = groups.iter().enumerate();
    numbered.map(|(at, group)| (group.text, at)).collect()
}

/// Returns the keys of the elements of a list.
fn keys<'v>(list: &'v [Value], merge_key: &str) -> impl Iterator<Item = &'v Value> {
    list.iter()
        .filter_map(move |element| element.get(merge_key))
}
