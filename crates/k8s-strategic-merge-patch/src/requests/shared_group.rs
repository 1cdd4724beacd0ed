//! The elements of a list by their keys, paired between documents.

use std::collections::HashMap;

use serde_json::Value;

use super::pairs::{MOST, likeness, pairs};
use k8s_json_internals::equality::deep_equal;

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
}

/// The elements of a group, paired.
#[derive(Default)]
pub(super) struct Paired {
    pub(super) authored: Vec<Authored>,
    /// The live elements of others.
    pub(super) others: Vec<usize>,
    /// True if the pairs of the author's own elements are ambiguous.
    pub(super) is_authored_ambiguous: bool,
    /// True if the pairs with live elements are ambiguous.
    pub(super) is_current_ambiguous: bool,
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
        let found = pairs(
            &news,
            &olds,
            |new, old| likeness(None, news.get(new).copied(), olds.get(old)?, merge_key),
            |one, other| are_same(&news, one, other),
        );
        let mut authored = Vec::with_capacity(news.len());
        for (new, old) in self.modified.iter().zip(&found.seconds) {
            authored.push(Authored {
                original: old.and_then(|old| positions.get(old).copied()),
                modified: Some(*new),
                current: None,
            });
        }
        let left = found.left_seconds(olds.len()).into_iter();
        authored.extend(left.map(|old| Authored {
            original: positions.get(old).copied(),
            ..Authored::default()
        }));
        Paired {
            authored,
            is_authored_ambiguous: found.are_ambiguous,
            ..Paired::default()
        }
    }

    /// Pairs the elements of the author with the live ones.
    fn pair_current(&self, paired: &mut Paired, lists: &DocumentLists, merge_key: &str) {
        let live = at_positions(&self.current, &lists.current);
        let sides = paired.authored.iter().map(|authored| {
            let original = authored.original.and_then(|at| lists.original.get(at));
            let modified = authored.modified.and_then(|at| lists.modified.get(at));
            (original, modified)
        });
        let sides: Vec<(Option<&Value>, Option<&Value>)> = sides.collect();
        let firsts = sides
            .iter()
            .filter_map(|(original, modified)| original.or(*modified));
        let found = pairs(
            &firsts.collect::<Vec<_>>(),
            &live,
            |authored, current| {
                let (original, modified) = sides.get(authored)?;
                likeness(*original, *modified, live.get(current)?, merge_key)
            },
            |one, other| match (sides.get(one), sides.get(other)) {
                (Some(one), Some(other)) => {
                    are_same_options(one.0, other.0) && are_same_options(one.1, other.1)
                }
                _ => false,
            },
        );
        let others = found.left_seconds(live.len()).into_iter();
        paired.others = others
            .filter_map(|at| self.current.get(at).copied())
            .collect();
        let is_missing = |at: &usize| {
            sides
                .get(*at)
                .is_some_and(|(original, _)| original.is_some())
        };
        // An element that is missing may be one of others, changed.
        let is_unclear = !paired.others.is_empty() && found.left_firsts().iter().any(is_missing);
        paired.is_current_ambiguous = found.are_ambiguous || is_unclear;
        for (authored, current) in paired.authored.iter_mut().zip(&found.seconds) {
            authored.current = current.and_then(|at| self.current.get(at).copied());
        }
    }
}

impl Paired {
    /// Joins the live elements that the author removes with the new ones, in their order, if there
    /// are equally many: the author changed all their fields.
    fn join_the_rest(&mut self) {
        let is_new =
            |authored: &&mut Authored| authored.original.is_none() && authored.current.is_none();
        let is_removed =
            |authored: &Authored| authored.modified.is_none() && authored.current.is_some();
        let removed = self.authored.iter().filter(|authored| is_removed(authored));
        let removed: Vec<Authored> = removed.copied().collect();
        let new: Vec<&mut Authored> = self.authored.iter_mut().filter(is_new).collect();
        if new.is_empty() || removed.is_empty() {
            return;
        }
        if new.len() != removed.len() {
            self.is_authored_ambiguous = true;
            return;
        }
        self.is_authored_ambiguous |= new.len() > 1;
        for (new, removed) in new.into_iter().zip(removed) {
            new.original = removed.original;
            new.current = removed.current;
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

    /// Returns the live elements, and the modified elements that differ from all of them.
    pub(super) fn different_elements(&self, lists: &DocumentLists) -> Vec<Value> {
        let mut elements = at_positions(&self.current, &lists.current);
        elements.truncate(MOST);
        for new in at_positions(&self.modified, &lists.modified)
            .into_iter()
            .take(MOST)
        {
            if !elements.iter().any(|element| deep_equal(element, new)) {
                elements.push(new);
            }
        }
        elements.into_iter().cloned().collect()
    }
}

/// Returns the elements at positions of a list.
pub(super) fn at_positions<'v>(positions: &[usize], list: &'v [Value]) -> Vec<&'v Value> {
    let values = positions.iter().filter_map(|position| list.get(*position));
    values.collect()
}

fn are_same(values: &[&Value], one: usize, other: usize) -> bool {
    match (values.get(one), values.get(other)) {
        (Some(one), Some(other)) => deep_equal(one, other),
        _ => false,
    }
}

fn are_same_options(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => deep_equal(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}
