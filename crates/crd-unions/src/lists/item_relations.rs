//! Statements about several items of a list, found from the results for small lists.

use crate::report::serialize::serialize_as_json;
use serde_json::{Value, json};

/// A statement of a rule about several items of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemRelation {
    /// All items are equal in the fields that the rule reads.
    AllEqual,
    /// No two items are equal in the fields that the rule reads.
    AllDistinct,
    /// An item of this sort is the only item of its list.
    OnlyItem(ItemClass),
    /// Items of one of these sorts exclude items of the other sorts.
    MutuallyExclusive(Vec<ItemClass>),
    /// A list has at most one item of this sort.
    AtMostOne(ItemClass),
    /// A list has at least one item of this sort.
    AtLeastOne(ItemClass),
    /// A list with an item of the first sort has an item of the second sort.
    Requires(ItemClass, ItemClass),
}

/// A set of items that a rule does not distinguish.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ItemClass {
    /// The alternatives that define the sort: an item is of this sort if, for one of the
    /// alternatives, all its fields have one of the values.
    pub patterns: Vec<Vec<FieldValues>>,
    /// True if all values that the rule does not name are of this sort.
    pub others: bool,
}

/// A field of an item, and the values that the field may have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldValues {
    /// The path of the field; empty for the item itself.
    pub field: String,
    /// The values. `unset` and `set` mean an absent and a present field. `any other` means every
    /// value that the rule does not name, and `the same` means each such value by itself. `below 1`
    /// and `above 5` mean the numbers on one side of a number that the rule names.
    pub values: Vec<String>,
}

impl ItemRelation {
    /// Returns the name in listings.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AllEqual => "alike",
            Self::AllDistinct => "distinct",
            Self::OnlyItem(_) => "alone",
            Self::MutuallyExclusive(_) => "apart",
            Self::AtMostOne(_) => "once",
            Self::AtLeastOne(_) => "required",
            Self::Requires(..) => "needs",
        }
    }

    /// Returns the sorts in the statement.
    #[must_use]
    pub fn classes(&self) -> Vec<&ItemClass> {
        match self {
            Self::AllEqual | Self::AllDistinct => Vec::new(),
            Self::OnlyItem(one) | Self::AtMostOne(one) | Self::AtLeastOne(one) => vec![one],
            Self::MutuallyExclusive(sorts) => sorts.iter().collect(),
            Self::Requires(one, other) => vec![one, other],
        }
    }

    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        let sorts: Vec<Value> = self.classes().into_iter().map(ItemClass::json).collect();
        json!({"says": self.name(), "sorts": sorts})
    }
}

impl ItemClass {
    fn json(&self) -> Value {
        let ways = self.patterns.iter().map(|way| {
            let fields = way
                .iter()
                .map(|wanted| (wanted.field.clone(), json!(wanted.values)));
            Value::Object(fields.collect())
        });
        json!({"ways": ways.collect::<Vec<_>>(), "others": self.others})
    }
}

/// The length of the longest lists.
const MAX_LIST_LENGTH: usize = 3;

/// Returns all lists of up to three items, by the positions of the items. Shorter lists are first.
pub(crate) fn small_lists(items: usize) -> Vec<Vec<usize>> {
    let mut lists: Vec<Vec<usize>> = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..MAX_LIST_LENGTH {
        let longer: Vec<Vec<usize>> = lists
            .iter()
            .skip(start)
            .flat_map(|list| {
                (0..items).map(|item| {
                    let mut list = list.clone();
                    list.push(item);
                    list
                })
            })
            .collect();
        start = lists.len();
        lists.extend(longer);
    }
    lists
}

/// The relations between sorts, found from the results for all lists.
pub(crate) struct DeducedRelations {
    /// The sort of each item, or `None` if no list with the item is accepted.
    pub(crate) classes: Vec<Option<usize>>,
    count: usize,
    /// True for each pair of sorts that occur in one list, and for each sort that occurs twice in a
    /// list.
    compatible: Vec<Vec<bool>>,
    /// For each sort, true for the sorts that occur in every accepted list with this sort.
    needed: Vec<Vec<bool>>,
    /// True for the sorts that occur in every accepted list.
    required: Vec<bool>,
    /// True if each sort has only one item.
    has_single_items: bool,
    /// True if the relations contain everything that the rule requires.
    pub(crate) exact: bool,
}

/// Returns the relations from the results for [`lists`]. `None` if the rule does not relate several
/// items.
pub(crate) fn deduce_relations(
    lists: &[Vec<usize>],
    accepted: &[bool],
    items: usize,
) -> Option<DeducedRelations> {
    if depends_on_length_only(lists, accepted) {
        return None;
    }
    let sorts = classify_items(accepted, items);
    let count = sorts.iter().flatten().max()? + 1;
    let of_sort = |sort: usize| sorts.iter().filter(move |of| **of == Some(sort));
    let mut said = DeducedRelations {
        has_single_items: (0..count).all(|sort| of_sort(sort).count() == 1),
        classes: sorts,
        count,
        compatible: vec![vec![false; count]; count],
        needed: vec![vec![true; count]; count],
        required: vec![true; count],
        exact: true,
    };
    let answers = || lists.iter().zip(accepted);
    for (list, _) in answers().filter(|(_, accepted)| **accepted) {
        said.add(&said.of(list)?);
    }
    said.exact = answers().all(|(list, accepted)| said.accepts(list) == *accepted);
    let is_silent = said.required.iter().all(|is| !is)
        && said.compatible.iter().flatten().all(|is| *is)
        && (0..count).all(|sort| (0..count).all(|other| !said.needs(sort, other)));
    (!is_silent).then_some(said)
}

/// Returns true if the results depend only on the length of the lists.
fn depends_on_length_only(lists: &[Vec<usize>], accepted: &[bool]) -> bool {
    (0..=MAX_LIST_LENGTH).all(|length| {
        let of_length = lists.iter().zip(accepted);
        let mut answers = of_length.filter(|(list, _)| list.len() == length);
        let first = answers.next();
        answers.all(|(_, answer)| Some(answer) == first.map(|(_, first)| first))
    })
}

/// Returns the sort of each item. Two items are of the same sort if each can replace the other in
/// every list.
pub(crate) fn classify_items(accepted: &[bool], items: usize) -> Vec<Option<usize>> {
    let answer = |list: &[usize]| accepted.get(position(list, items)) == Some(&true);
    let contexts = |item: usize| {
        let mut answers = vec![answer(&[item])];
        for one in 0..items {
            answers.extend([answer(&[item, one]), answer(&[one, item])]);
            for other in 0..items {
                answers.extend([
                    answer(&[item, one, other]),
                    answer(&[one, item, other]),
                    answer(&[one, other, item]),
                ]);
            }
        }
        answers
    };
    let mut known: Vec<Vec<bool>> = Vec::new();
    let items = 0..items;
    items
        .map(|item| {
            let answers = contexts(item);
            if !answers.contains(&true) {
                return None;
            }
            let sort = known.iter().position(|other| *other == answers);
            Some(sort.unwrap_or_else(|| {
                known.push(answers);
                known.len() - 1
            }))
        })
        .collect()
}

/// Returns the position of a list among [`lists`].
fn position(list: &[usize], items: usize) -> usize {
    // Shorter lists are first. Lists of the same length are in the order of their items, as digits.
    list.iter().fold(0, |at, item| at * items + item + 1)
}

impl DeducedRelations {
    /// Returns the sorts of the items in a list.
    fn of(&self, list: &[usize]) -> Option<Vec<usize>> {
        let sorts = list
            .iter()
            .map(|item| self.classes.get(*item).copied().flatten());
        sorts.collect()
    }

    /// Adds a list that the rule accepts.
    fn add(&mut self, list: &[usize]) {
        for (at, one) in list.iter().enumerate() {
            for other in list.iter().skip(at + 1) {
                for (one, other) in [(one, other), (other, one)] {
                    let row = self.compatible.get_mut(*one);
                    if let Some(slot) = row.and_then(|row| row.get_mut(*other)) {
                        *slot = true;
                    }
                }
            }
            if let Some(needed) = self.needed.get_mut(*one) {
                retain_listed(needed, list);
            }
        }
        retain_listed(&mut self.required, list);
    }

    fn accepts(&self, list: &[usize]) -> bool {
        let Some(list) = self.of(list) else {
            return false;
        };
        let mut all = 0..self.count;
        all.all(|sort| list.contains(&sort) || !self.is_required(sort))
            && list.iter().enumerate().all(|(at, one)| {
                let mut rest = list.iter().skip(at + 1);
                let mut all = 0..self.count;
                rest.all(|other| self.may_occur_with(*one, *other))
                    && all.all(|sort| list.contains(&sort) || !self.needs(*one, sort))
            })
    }

    fn may_occur_with(&self, one: usize, other: usize) -> bool {
        let row = self.compatible.get(one);
        row.and_then(|row| row.get(other)) == Some(&true)
    }

    fn is_required(&self, sort: usize) -> bool {
        self.required.get(sort) == Some(&true)
    }

    fn needs(&self, one: usize, other: usize) -> bool {
        let row = self.needed.get(one);
        one != other
            && !self.is_required(other)
            && row.and_then(|row| row.get(other)) == Some(&true)
    }

    /// Returns the relations as statements, in which `sort` describes the sorts.
    pub(crate) fn item_relations(&self, sort: &dyn Fn(usize) -> ItemClass) -> Vec<ItemRelation> {
        let all = || 0..self.count;
        let pairs = || all().flat_map(|one| (one + 1..self.count).map(move |other| (one, other)));
        let is_repeated = |one: usize| self.may_occur_with(one, one);
        let mut said = Vec::new();
        let by_value = self.count > 1 && self.has_single_items;
        if by_value
            && pairs().all(|(one, other)| !self.may_occur_with(one, other))
            && all().all(is_repeated)
        {
            said.push(ItemRelation::AllEqual);
        } else if by_value
            && pairs().all(|(one, other)| self.may_occur_with(one, other))
            && !all().any(is_repeated)
        {
            said.push(ItemRelation::AllDistinct);
        } else {
            let is_alone =
                |one: usize| self.count > 1 && all().all(|other| !self.may_occur_with(one, other));
            for one in all() {
                if is_alone(one) {
                    said.push(ItemRelation::OnlyItem(sort(one)));
                } else if !is_repeated(one) {
                    said.push(ItemRelation::AtMostOne(sort(one)));
                }
            }
            let mut rest: Vec<usize> = all().filter(|one| !is_alone(*one)).collect();
            said.extend(
                self.apart(&mut rest).into_iter().map(|lot| {
                    ItemRelation::MutuallyExclusive(lot.into_iter().map(sort).collect())
                }),
            );
        }
        let required = all().filter(|one| self.is_required(*one));
        said.extend(required.map(|one| ItemRelation::AtLeastOne(sort(one))));
        for one in all() {
            let needed = all().filter(|other| self.needs(one, *other));
            said.extend(needed.map(|other| ItemRelation::Requires(sort(one), sort(other))));
        }
        // Sorts of values that represent others have the same description.
        let mut once: Vec<ItemRelation> = Vec::new();
        for one in said {
            if !once.contains(&one) {
                once.push(one);
            }
        }
        once
    }
}

impl DeducedRelations {
    /// Returns the sorts that exclude each other: sets in which every two sorts do, or pairs
    /// otherwise.
    fn apart(&self, rest: &mut Vec<usize>) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        while let Some(first) = rest.first().copied() {
            let mut lot = vec![first];
            let mut at = 0;
            while let Some(one) = lot.get(at).copied() {
                let near = rest
                    .iter()
                    .filter(|other| **other != one && !self.may_occur_with(one, **other));
                let near: Vec<usize> = near.filter(|other| !lot.contains(other)).copied().collect();
                lot.extend(near);
                at += 1;
            }
            rest.retain(|sort| !lot.contains(sort));
            lot.sort_unstable();
            let pairs = || {
                lot.iter()
                    .enumerate()
                    .flat_map(|(at, one)| lot.iter().skip(at + 1).map(move |other| (*one, *other)))
            };
            let apart: Vec<Vec<usize>> = pairs()
                .filter(|(one, other)| !self.may_occur_with(*one, *other))
                .map(|(one, other)| vec![one, other])
                .collect();
            if lot.len() > 2 && apart.len() == pairs().count() {
                found.push(lot);
            } else {
                found.extend(apart);
            }
        }
        found
    }
}

/// Clears the slots of the sorts that are not in a list.
fn retain_listed(slots: &mut [bool], list: &[usize]) {
    for (sort, slot) in slots.iter_mut().enumerate() {
        *slot &= list.contains(&sort);
    }
}

serialize_as_json!(ItemRelation);
