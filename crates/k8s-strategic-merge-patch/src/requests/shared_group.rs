//! The elements of a list by their keys, paired between documents.

use std::collections::HashMap;

use serde_json::Value;

use super::pairs::{AuthoredElement, MOST, is_rival, pairs};

/// A list of each document. In a comparison of two documents, the original list is not used.
pub(super) struct DocumentLists {
    pub(super) original: Vec<Value>,
    pub(super) modified: Vec<Value>,
    pub(super) current: Vec<Value>,
    /// The strings of the keys in these lists.
    pub(super) texts: [Vec<String>; 3],
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
    pub(super) text: &'t str,
    pub(super) original: Vec<usize>,
    pub(super) modified: Vec<usize>,
    pub(super) current: Vec<usize>,
}

/// An element of the author, by its positions in the lists.
#[derive(Clone, Copy, Default)]
pub(super) struct Authored {
    pub(super) original: Option<usize>,
    pub(super) modified: Option<usize>,
    pub(super) current: Option<usize>,
    /// True if the pair of the original and the modified element is ambiguous.
    pub(super) is_ambiguous: bool,
    /// True if the pair with the live element is ambiguous.
    pub(super) is_current_ambiguous: bool,
}

/// The elements of a group, paired.
#[derive(Default)]
pub(super) struct Paired {
    pub(super) authored: Vec<Authored>,
    /// The live elements of others.
    pub(super) others: Vec<usize>,
    /// The elements among the others that may be elements of the author.
    pub(super) ambiguous_others: Vec<usize>,
    /// True if the ambiguous elements were paired in their order, because they are too many to be
    /// compared with each other.
    pub(super) are_in_order: bool,
}

impl Group<'_> {
    /// Pairs the elements of the group. In a comparison of two documents, the current element is
    /// the original one.
    pub(super) fn pair(&self, lists: &DocumentLists, merge_key: &str, is_two_way: bool) -> Paired {
        let (positions, originals) = if is_two_way {
            (&self.current, &lists.current)
        } else {
            (&self.original, &lists.original)
        };
        let all = [positions, &self.modified, &self.current];
        if all.iter().all(|positions| positions.len() < 2) {
            return Paired::of_one(all.map(|positions| positions.first().copied()));
        }
        let mut paired = self.pair_authored(lists, (positions, originals), merge_key);
        if is_two_way {
            for authored in &mut paired.authored {
                authored.current = authored.original;
            }
        } else {
            self.pair_current(&mut paired, lists, merge_key);
        }
        paired.join_the_rest();
        paired
    }

    /// Pairs the original and the modified elements, which are of one author.
    fn pair_authored(
        &self,
        lists: &DocumentLists,
        (positions, originals): (&[usize], &[Value]),
        merge_key: &str,
    ) -> Paired {
        let olds = at_positions(positions, originals);
        let news = at_positions(&self.modified, &lists.modified);
        let news = news.into_iter().map(|new| AuthoredElement {
            applied: None,
            wanted: Some(new),
        });
        let found = pairs(&news.collect::<Vec<_>>(), &olds, merge_key);
        let mut authored = Vec::with_capacity(self.modified.len());
        for (new, old) in self.modified.iter().zip(&found.seconds) {
            authored.push(Authored {
                original: old.and_then(|old| positions.get(old).copied()),
                modified: Some(*new),
                ..Authored::default()
            });
        }
        let mut of_old = found.firsts(olds.len());
        for old in found.left_seconds(olds.len()) {
            if let Some(of_old) = of_old.get_mut(old) {
                *of_old = Some(authored.len());
            }
            authored.push(Authored {
                original: positions.get(old).copied(),
                ..Authored::default()
            });
        }
        let [news, olds] = &found.ambiguous;
        let of_olds = olds.iter().filter_map(|old| *of_old.get(*old)?);
        for at in news.iter().copied().chain(of_olds) {
            if let Some(authored) = authored.get_mut(at) {
                authored.is_ambiguous = true;
            }
        }
        Paired {
            authored,
            are_in_order: found.are_in_order,
            ..Paired::default()
        }
    }

    /// Pairs the elements of the author with the live ones.
    fn pair_current(&self, paired: &mut Paired, lists: &DocumentLists, merge_key: &str) {
        let live = at_positions(&self.current, &lists.current);
        let elements = paired.authored.iter().map(|authored| AuthoredElement {
            applied: authored.original.and_then(|at| lists.original.get(at)),
            wanted: authored.modified.and_then(|at| lists.modified.get(at)),
        });
        let elements: Vec<AuthoredElement<'_>> = elements.collect();
        let found = pairs(&elements, &live, merge_key);
        paired.are_in_order |= found.are_in_order;
        let left_seconds = found.left_seconds(live.len());
        let [mut ambiguous, mut ambiguous_live] = found.ambiguous.clone();
        let missing = found.left_firsts().into_iter().filter(|at| {
            let element = elements.get(*at);
            element.is_some_and(|element| element.applied.is_some())
        });
        let missing: Vec<usize> = missing.collect();
        // An element that is missing may be one of others, changed.
        if !missing.is_empty() && !left_seconds.is_empty() {
            ambiguous.extend(missing);
            ambiguous_live.extend(&left_seconds);
        }
        for (first, second) in found.seconds.iter().enumerate() {
            let applied = elements.get(first).and_then(|element| element.applied);
            let second = second.and_then(|second| live.get(second));
            // Elements that the author changed less than others are few.
            for left in left_seconds.iter().take(MOST) {
                if let (Some(applied), Some(second), Some(other)) =
                    (applied, second, live.get(*left))
                    && is_rival(applied, second, other, merge_key)
                {
                    ambiguous.push(first);
                    ambiguous_live.push(*left);
                }
            }
        }
        for (authored, current) in paired.authored.iter_mut().zip(&found.seconds) {
            authored.current = current.and_then(|at| self.current.get(at).copied());
        }
        let of_live = found.firsts(live.len());
        let position = |at: usize| self.current.get(at).copied();
        for at in ambiguous_live {
            match of_live.get(at).copied().flatten() {
                Some(first) => ambiguous.push(first),
                None => paired.ambiguous_others.extend(position(at)),
            }
        }
        for at in ambiguous {
            if let Some(authored) = paired.authored.get_mut(at) {
                authored.is_current_ambiguous = true;
            }
        }
        paired.others = left_seconds.into_iter().filter_map(position).collect();
    }
}

impl Paired {
    /// Joins the live elements that the author removes with the new ones, in their order, if there
    /// are equally many: the author changed all their fields.
    fn join_the_rest(&mut self) {
        let is_new =
            |authored: &Authored| authored.original.is_none() && authored.current.is_none();
        let is_removed =
            |authored: &Authored| authored.modified.is_none() && authored.current.is_some();
        let removed = self.authored.iter().filter(|authored| is_removed(authored));
        let removed: Vec<Authored> = removed.copied().collect();
        let count = self.authored.iter().filter(|authored| is_new(authored));
        let count = count.count();
        if count == 0 || removed.is_empty() {
            return;
        }
        if count > 1 || removed.len() > 1 {
            let unclear = self.authored.iter_mut();
            let unclear = unclear.filter(|authored| is_new(authored) || is_removed(authored));
            unclear.for_each(|authored| authored.is_ambiguous = true);
        }
        if count != removed.len() {
            return;
        }
        let new = self.authored.iter_mut().filter(|authored| is_new(authored));
        for (new, removed) in new.zip(removed) {
            new.original = removed.original;
            new.current = removed.current;
            new.is_current_ambiguous |= removed.is_current_ambiguous;
        }
        self.authored.retain(|authored| !is_removed(authored));
    }

    /// Returns the elements of a group with at most one element in each list.
    fn of_one([original, modified, current]: [Option<usize>; 3]) -> Self {
        let mut paired = Self::default();
        if original.is_some() || modified.is_some() {
            paired.authored.push(Authored {
                original,
                modified,
                current,
                ..Authored::default()
            });
        } else {
            paired.others.extend(current);
        }
        paired
    }
}

impl DocumentLists {
    /// Returns the elements of all lists by their keys, in the order of the modified, the current
    /// and the original list.
    pub(super) fn groups(&self) -> Vec<Group<'_>> {
        let [originals, news, currents] = &self.texts;
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut positions: HashMap<&str, usize> = HashMap::new();
        for (list, texts) in [news, currents, originals].into_iter().enumerate() {
            for (i, text) in texts.iter().enumerate() {
                let position = *positions.entry(text).or_insert(groups.len());
                if position == groups.len() {
                    groups.push(Group {
                        text,
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

    /// Returns the elements of the list that has most of them: the live list, if it does.
    pub(super) fn elements(&self, lists: &DocumentLists) -> Vec<Value> {
        let sides = [
            (&self.current, &lists.current),
            (&self.modified, &lists.modified),
            (&self.original, &lists.original),
        ];
        let mut most: Vec<&Value> = Vec::new();
        for (positions, list) in sides {
            if positions.len() > most.len() {
                most = at_positions(positions, list);
            }
        }
        most.into_iter().cloned().collect()
    }
}

/// Returns the elements at positions of a list.
pub(super) fn at_positions<'v>(positions: &[usize], list: &'v [Value]) -> Vec<&'v Value> {
    let values = positions.iter().filter_map(|position| list.get(*position));
    values.collect()
}
