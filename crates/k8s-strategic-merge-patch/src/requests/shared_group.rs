//! The elements of a list by their keys, paired between documents.

use std::collections::HashMap;

use serde_json::Value;

use super::pairs::{AuthoredElement, MAX_COMPARED, Pairs, is_rival, pair_elements};

/// The versions of a list in the documents. In a comparison of two documents, the original list is
/// not used.
pub(super) struct DocumentLists {
    pub(super) original: Vec<Value>,
    pub(super) modified: Vec<Value>,
    pub(super) current: Vec<Value>,
    /// The strings of the keys in the original, the modified and the current list.
    pub(super) key_strings: [Vec<String>; 3],
}

/// The patch of a list.
#[derive(Default)]
pub(super) struct SharedListPatch {
    pub(super) items: Vec<Value>,
    /// The value of `$setElementOrder`.
    pub(super) order: Vec<Value>,
}

/// The elements with one key, by their positions in the lists.
#[derive(Default)]
pub(super) struct Group<'t> {
    pub(super) key: &'t str,
    pub(super) original: Vec<usize>,
    pub(super) modified: Vec<usize>,
    pub(super) current: Vec<usize>,
}

/// An element of the author, by its positions in the lists.
#[derive(Clone, Copy, Default)]
pub(super) struct AuthoredPositions {
    pub(super) original: Option<usize>,
    pub(super) modified: Option<usize>,
    pub(super) current: Option<usize>,
    /// True if the pair of the original and the modified element is ambiguous.
    pub(super) is_ambiguous: bool,
    /// True if the pair with the live element is ambiguous.
    pub(super) is_current_ambiguous: bool,
}

/// The pairs of elements in a group.
#[derive(Default)]
pub(super) struct PairedGroup {
    pub(super) authored: Vec<AuthoredPositions>,
    /// The live elements of others.
    pub(super) others: Vec<usize>,
    /// The elements of `others` that may be elements of the author.
    pub(super) ambiguous_others: Vec<usize>,
    /// True if the ambiguous elements were paired in their order, because they are too many to be
    /// compared with each other.
    pub(super) are_paired_by_position: bool,
}

impl Group<'_> {
    /// Pairs the elements of the group. In a comparison of two documents, the current element is
    /// the original one.
    pub(super) fn pair(
        &self,
        lists: &DocumentLists,
        merge_key: &str,
        is_two_way: bool,
    ) -> PairedGroup {
        let (positions, original_list) = if is_two_way {
            (&self.current, &lists.current)
        } else {
            (&self.original, &lists.original)
        };
        let positions_in_lists = [positions, &self.modified, &self.current];
        if positions_in_lists
            .iter()
            .all(|positions| positions.len() < 2)
        {
            return PairedGroup::pair_single_elements(
                positions_in_lists.map(|positions| positions.first().copied()),
            );
        }
        let mut paired_group = self.pair_authored(lists, (positions, original_list), merge_key);
        if is_two_way {
            for authored in &mut paired_group.authored {
                authored.current = authored.original;
            }
        } else {
            self.pair_current(&mut paired_group, lists, merge_key);
        }
        paired_group.pair_removed_with_new();
        paired_group
    }

    /// Pairs the original elements with the modified elements, which have the same author.
    fn pair_authored(
        &self,
        lists: &DocumentLists,
        (positions, original_list): (&[usize], &[Value]),
        merge_key: &str,
    ) -> PairedGroup {
        let old_elements = elements_at(positions, original_list);
        let new_elements = elements_at(&self.modified, &lists.modified);
        let new_elements = new_elements.into_iter().map(|new| AuthoredElement {
            applied: None,
            wanted: Some(new),
        });
        let pairs = pair_elements(&new_elements.collect::<Vec<_>>(), &old_elements, merge_key);
        let mut authored = Vec::with_capacity(self.modified.len());
        for (new, old) in self.modified.iter().zip(&pairs.second_of_first) {
            authored.push(AuthoredPositions {
                original: old.and_then(|old| positions.get(old).copied()),
                modified: Some(*new),
                ..AuthoredPositions::default()
            });
        }
        let mut authored_of_old = pairs.first_of_second(old_elements.len());
        for old in pairs.unpaired_seconds(old_elements.len()) {
            if let Some(authored_of_old) = authored_of_old.get_mut(old) {
                *authored_of_old = Some(authored.len());
            }
            authored.push(AuthoredPositions {
                original: positions.get(old).copied(),
                ..AuthoredPositions::default()
            });
        }
        let [new_elements, old_elements] = &pairs.ambiguous;
        let authored_of_ambiguous_olds = old_elements
            .iter()
            .filter_map(|old| *authored_of_old.get(*old)?);
        for position in new_elements
            .iter()
            .copied()
            .chain(authored_of_ambiguous_olds)
        {
            if let Some(authored) = authored.get_mut(position) {
                authored.is_ambiguous = true;
            }
        }
        PairedGroup {
            authored,
            are_paired_by_position: pairs.are_paired_by_position,
            ..PairedGroup::default()
        }
    }

    /// Pairs the elements of the author with the live elements.
    fn pair_current(&self, paired_group: &mut PairedGroup, lists: &DocumentLists, merge_key: &str) {
        let live = elements_at(&self.current, &lists.current);
        let elements = paired_group
            .authored
            .iter()
            .map(|authored| AuthoredElement {
                applied: authored
                    .original
                    .and_then(|position| lists.original.get(position)),
                wanted: authored
                    .modified
                    .and_then(|position| lists.modified.get(position)),
            });
        let elements: Vec<AuthoredElement<'_>> = elements.collect();
        let pairs = pair_elements(&elements, &live, merge_key);
        paired_group.are_paired_by_position |= pairs.are_paired_by_position;
        let unpaired_seconds = pairs.unpaired_seconds(live.len());
        let [mut ambiguous_positions, mut ambiguous_live_positions] = pairs.ambiguous.clone();
        let was_applied = |position: &usize| {
            let element = elements.get(*position);
            element.is_some_and(|element| element.applied.is_some())
        };
        let mut missing_elements = pairs.unpaired_firsts();
        missing_elements.retain(was_applied);
        // A live element of others may be the missing element with changed fields.
        if !missing_elements.is_empty() && !unpaired_seconds.is_empty() {
            ambiguous_positions.extend(missing_elements);
            ambiguous_live_positions.extend(&unpaired_seconds);
        }
        for (first, second) in find_rivals(&pairs, &elements, &live, merge_key) {
            ambiguous_positions.push(first);
            ambiguous_live_positions.push(second);
        }
        for (authored, current) in paired_group.authored.iter_mut().zip(&pairs.second_of_first) {
            authored.current = current.and_then(|position| self.current.get(position).copied());
        }
        let first_of_second = pairs.first_of_second(live.len());
        let current_position = |position: usize| self.current.get(position).copied();
        for position in ambiguous_live_positions {
            match first_of_second.get(position).copied().flatten() {
                Some(first) => ambiguous_positions.push(first),
                None => paired_group
                    .ambiguous_others
                    .extend(current_position(position)),
            }
        }
        for position in ambiguous_positions {
            if let Some(authored) = paired_group.authored.get_mut(position) {
                authored.is_current_ambiguous = true;
            }
        }
        paired_group.others = unpaired_seconds
            .into_iter()
            .filter_map(current_position)
            .collect();
    }
}

/// Returns the positions of paired elements in the first list, each with the position of an
/// unpaired element in the second list that may be the applied element too.
fn find_rivals(
    pairs: &Pairs,
    elements: &[AuthoredElement<'_>],
    live: &[&Value],
    merge_key: &str,
) -> Vec<(usize, usize)> {
    let unpaired_seconds = pairs.unpaired_seconds(live.len());
    let mut rivals = Vec::new();
    for (first, second) in pairs.second_of_first.iter().enumerate() {
        let applied = elements.get(first).and_then(|element| element.applied);
        let paired = second.and_then(|second| live.get(second));
        // Limits the number of comparisons.
        for position in unpaired_seconds.iter().take(MAX_COMPARED) {
            if let (Some(applied), Some(paired), Some(unpaired)) =
                (applied, paired, live.get(*position))
                && is_rival(applied, paired, unpaired, merge_key)
            {
                rivals.push((first, *position));
            }
        }
    }
    rivals
}

impl PairedGroup {
    /// Pairs the live elements that the author removes with the author's new elements, in their
    /// order, if there are equally many: the author probably changed all their fields.
    fn pair_removed_with_new(&mut self) {
        let is_new = |authored: &AuthoredPositions| {
            authored.original.is_none() && authored.current.is_none()
        };
        let is_removed = |authored: &AuthoredPositions| {
            authored.modified.is_none() && authored.current.is_some()
        };
        let removed_elements = self.authored.iter().filter(|authored| is_removed(authored));
        let removed_elements: Vec<AuthoredPositions> = removed_elements.copied().collect();
        let new_count = self
            .authored
            .iter()
            .filter(|authored| is_new(authored))
            .count();
        if new_count == 0 || removed_elements.is_empty() {
            return;
        }
        if new_count > 1 || removed_elements.len() > 1 {
            let ambiguous_elements = self.authored.iter_mut();
            let ambiguous_elements =
                ambiguous_elements.filter(|authored| is_new(authored) || is_removed(authored));
            ambiguous_elements.for_each(|authored| authored.is_ambiguous = true);
        }
        if new_count != removed_elements.len() {
            return;
        }
        let new_elements = self.authored.iter_mut().filter(|authored| is_new(authored));
        for (new_element, removed_element) in new_elements.zip(removed_elements) {
            new_element.original = removed_element.original;
            new_element.current = removed_element.current;
            new_element.is_current_ambiguous |= removed_element.is_current_ambiguous;
        }
        self.authored.retain(|authored| !is_removed(authored));
    }

    /// Pairs the elements of a group that has at most one element in each list.
    fn pair_single_elements([original, modified, current]: [Option<usize>; 3]) -> Self {
        let mut paired_group = Self::default();
        if original.is_some() || modified.is_some() {
            paired_group.authored.push(AuthoredPositions {
                original,
                modified,
                current,
                ..AuthoredPositions::default()
            });
        } else {
            paired_group.others.extend(current);
        }
        paired_group
    }
}

impl DocumentLists {
    /// Groups the elements of all lists by their keys. Groups are in the order of the modified
    /// list; keys that only the current list has follow, then keys that only the original list has.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let [original_keys, modified_keys, current_keys] = &self.key_strings;
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut positions: HashMap<&str, usize> = HashMap::new();
        let lists = [modified_keys, current_keys, original_keys];
        for (list, key_strings) in lists.into_iter().enumerate() {
            for (i, key) in key_strings.iter().enumerate() {
                let position = *positions.entry(key).or_insert(groups.len());
                if position == groups.len() {
                    groups.push(Group {
                        key,
                        ..Group::default()
                    });
                }
                if let Some(group) = groups.get_mut(position) {
                    match list {
                        0 => group.modified.push(i),
                        1 => group.current.push(i),
                        _ => group.original.push(i),
                    }
                }
            }
        }
        groups
    }
}

impl Group<'_> {
    /// Returns true if elements of one list share the key.
    pub(super) fn is_shared(&self) -> bool {
        let lists = [&self.original, &self.modified, &self.current];
        lists.iter().any(|positions| positions.len() > 1)
    }

    /// Returns the elements of the list in which the group has the most elements. If lists have
    /// equally many, the live list has precedence, then the modified list.
    pub(super) fn elements(&self, lists: &DocumentLists) -> Vec<Value> {
        let versions = [
            (&self.current, &lists.current),
            (&self.modified, &lists.modified),
            (&self.original, &lists.original),
        ];
        let mut elements: Vec<&Value> = Vec::new();
        for (positions, list) in versions {
            if positions.len() > elements.len() {
                elements = elements_at(positions, list);
            }
        }
        elements.into_iter().cloned().collect()
    }
}

/// Returns the elements at these positions of a list.
pub(super) fn elements_at<'v>(positions: &[usize], list: &'v [Value]) -> Vec<&'v Value> {
    let values = positions.iter().filter_map(|position| list.get(*position));
    values.collect()
}
