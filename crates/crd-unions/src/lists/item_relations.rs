//! Relations between items of a list, deduced from the results of a rule on all small lists.
//!
//! Items that can replace each other in every list form a class. A relation is a statement about
//! classes.

use crate::report::serialize::serialize_as_json;
use serde_json::{Value, json};

/// A relation between items of a list that a rule requires.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemRelation {
    /// All items are equal in the fields that the rule reads.
    AllEqual,
    /// No two items are equal in the fields that the rule reads.
    AllDistinct,
    /// An item of this class must be the only item of its list.
    OnlyItem(ItemClass),
    /// A list must not have items of two of these classes.
    MutuallyExclusive(Vec<ItemClass>),
    /// A list has at most one item of this class.
    AtMostOne(ItemClass),
    /// A list has at least one item of this class.
    AtLeastOne(ItemClass),
    /// A list with an item of the first class has an item of the second class.
    Requires(ItemClass, ItemClass),
}

/// A set of items that a rule does not distinguish.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ItemClass {
    /// The patterns of the class. An item matches a pattern if each field of the pattern has one of
    /// the values, and is in the class if it matches any pattern.
    pub patterns: Vec<Vec<FieldValues>>,
    /// True if the class also contains all items with values that the rule does not name.
    pub others: bool,
}

/// A field of an item, and the values that the field may have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldValues {
    /// The path of the field; empty for the item itself.
    pub field: String,
    /// The values, or descriptions of values. `unset` and `set` mean an absent and a present field.
    /// `any other` means all values that the rule does not name, and `the same` means one such
    /// value. `below 1` and `above 5` mean the numbers below and above the numbers that the rule
    /// names.
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

    /// Returns the classes that the relation is about.
    #[must_use]
    pub fn classes(&self) -> Vec<&ItemClass> {
        match self {
            Self::AllEqual | Self::AllDistinct => Vec::new(),
            Self::OnlyItem(one) | Self::AtMostOne(one) | Self::AtLeastOne(one) => vec![one],
            Self::MutuallyExclusive(classes) => classes.iter().collect(),
            Self::Requires(one, other) => vec![one, other],
        }
    }

    /// Returns the JSON that the value serializes as.
    fn json(&self) -> Value {
        let classes: Vec<Value> = self.classes().into_iter().map(ItemClass::json).collect();
        json!({"says": self.name(), "sorts": classes})
    }
}

impl ItemClass {
    fn json(&self) -> Value {
        let patterns = self.patterns.iter().map(|pattern| {
            let fields = pattern
                .iter()
                .map(|wanted| (wanted.field.clone(), json!(wanted.values)));
            Value::Object(fields.collect())
        });
        json!({"ways": patterns.collect::<Vec<_>>(), "others": self.others})
    }
}

/// The maximum length of the lists for which a rule is evaluated.
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

/// The relations between classes, deduced from the results for all small lists.
pub(crate) struct DeducedRelations {
    /// The class of each item, or `None` if no list with the item is accepted.
    pub(crate) classes: Vec<Option<usize>>,
    count: usize,
    /// For each pair of classes, true if an accepted list has items of both. For a class and
    /// itself, true if an accepted list has two items of the class.
    compatible: Vec<Vec<bool>>,
    /// For each class, true for the classes that occur in every accepted list with this class.
    needed: Vec<Vec<bool>>,
    /// True for the classes that occur in every accepted list.
    required: Vec<bool>,
    /// True if each class has only one item.
    has_single_items: bool,
    /// True if the relations accept the same small lists as the rule.
    pub(crate) exact: bool,
}

/// Deduces the relations from the results for [`small_lists`]. `None` if the rule does not relate
/// several items.
pub(crate) fn deduce_relations(
    lists: &[Vec<usize>],
    accepted: &[bool],
    items: usize,
) -> Option<DeducedRelations> {
    if depends_on_length_only(lists, accepted) {
        return None;
    }
    let classes = classify_items(accepted, items);
    let count = classes.iter().flatten().max()? + 1;
    let items_of_class = |class: usize| {
        classes
            .iter()
            .filter(move |of_item| **of_item == Some(class))
    };
    let mut relations = DeducedRelations {
        has_single_items: (0..count).all(|class| items_of_class(class).count() == 1),
        classes,
        count,
        compatible: vec![vec![false; count]; count],
        needed: vec![vec![true; count]; count],
        required: vec![true; count],
        exact: true,
    };
    let results = || lists.iter().zip(accepted);
    for (list, _) in results().filter(|(_, accepted)| **accepted) {
        relations.add(&relations.classes_of(list)?);
    }
    relations.exact = results().all(|(list, accepted)| relations.accepts(list) == *accepted);
    let allows_all = relations.required.iter().all(|is| !is)
        && relations.compatible.iter().flatten().all(|is| *is)
        && (0..count).all(|class| (0..count).all(|other| !relations.needs(class, other)));
    (!allows_all).then_some(relations)
}

/// Returns true if the results depend only on the length of the lists.
fn depends_on_length_only(lists: &[Vec<usize>], accepted: &[bool]) -> bool {
    (0..=MAX_LIST_LENGTH).all(|length| {
        let of_length = lists.iter().zip(accepted);
        let mut results = of_length.filter(|(list, _)| list.len() == length);
        let first = results.next();
        results.all(|(_, result)| Some(result) == first.map(|(_, first)| first))
    })
}

/// Returns the class of each item. Two items are in the same class if each can replace the other in
/// every list.
pub(crate) fn classify_items(accepted: &[bool], items: usize) -> Vec<Option<usize>> {
    let result = |list: &[usize]| accepted.get(position(list, items)) == Some(&true);
    let results_in_contexts = |item: usize| {
        let mut results = vec![result(&[item])];
        for one in 0..items {
            results.extend([result(&[item, one]), result(&[one, item])]);
            for other in 0..items {
                results.extend([
                    result(&[item, one, other]),
                    result(&[one, item, other]),
                    result(&[one, other, item]),
                ]);
            }
        }
        results
    };
    let mut contexts_of_classes: Vec<Vec<bool>> = Vec::new();
    let items = 0..items;
    items
        .map(|item| {
            let results = results_in_contexts(item);
            if !results.contains(&true) {
                return None;
            }
            let class = contexts_of_classes
                .iter()
                .position(|other| *other == results);
            Some(class.unwrap_or_else(|| {
                contexts_of_classes.push(results);
                contexts_of_classes.len() - 1
            }))
        })
        .collect()
}

/// Returns the position of a list in [`small_lists`].
fn position(list: &[usize], items: usize) -> usize {
    // Shorter lists are first. Lists of the same length are in the order of their items, as digits.
    list.iter()
        .fold(0, |position, item| position * items + item + 1)
}

impl DeducedRelations {
    /// Returns the classes of the items in a list.
    fn classes_of(&self, list: &[usize]) -> Option<Vec<usize>> {
        let classes = list
            .iter()
            .map(|item| self.classes.get(*item).copied().flatten());
        classes.collect()
    }

    /// Adds an accepted list, given by the classes of its items.
    fn add(&mut self, list: &[usize]) {
        for (position, one) in list.iter().enumerate() {
            for other in list.iter().skip(position + 1) {
                for (one, other) in [(one, other), (other, one)] {
                    let row = self.compatible.get_mut(*one);
                    if let Some(flag) = row.and_then(|row| row.get_mut(*other)) {
                        *flag = true;
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
        let Some(list) = self.classes_of(list) else {
            return false;
        };
        let mut all = 0..self.count;
        all.all(|class| list.contains(&class) || !self.is_required(class))
            && list.iter().enumerate().all(|(position, one)| {
                let mut remaining = list.iter().skip(position + 1);
                let mut all = 0..self.count;
                remaining.all(|other| self.may_occur_with(*one, *other))
                    && all.all(|class| list.contains(&class) || !self.needs(*one, class))
            })
    }

    fn may_occur_with(&self, one: usize, other: usize) -> bool {
        let row = self.compatible.get(one);
        row.and_then(|row| row.get(other)) == Some(&true)
    }

    fn is_required(&self, class: usize) -> bool {
        self.required.get(class) == Some(&true)
    }

    fn needs(&self, one: usize, other: usize) -> bool {
        let row = self.needed.get(one);
        one != other
            && !self.is_required(other)
            && row.and_then(|row| row.get(other)) == Some(&true)
    }

    /// Returns the relations for users. `describe` returns the description of a class.
    pub(crate) fn item_relations(
        &self,
        describe: &dyn Fn(usize) -> ItemClass,
    ) -> Vec<ItemRelation> {
        let all = || 0..self.count;
        let pairs = || all().flat_map(|one| (one + 1..self.count).map(move |other| (one, other)));
        let is_repeated = |one: usize| self.may_occur_with(one, one);
        let mut relations = Vec::new();
        let is_by_value = self.count > 1 && self.has_single_items;
        if is_by_value
            && pairs().all(|(one, other)| !self.may_occur_with(one, other))
            && all().all(is_repeated)
        {
            relations.push(ItemRelation::AllEqual);
        } else if is_by_value
            && pairs().all(|(one, other)| self.may_occur_with(one, other))
            && !all().any(is_repeated)
        {
            relations.push(ItemRelation::AllDistinct);
        } else {
            let must_be_only_item =
                |one: usize| self.count > 1 && all().all(|other| !self.may_occur_with(one, other));
            for one in all() {
                if must_be_only_item(one) {
                    relations.push(ItemRelation::OnlyItem(describe(one)));
                } else if !is_repeated(one) {
                    relations.push(ItemRelation::AtMostOne(describe(one)));
                }
            }
            let mut remaining: Vec<usize> = all().filter(|one| !must_be_only_item(*one)).collect();
            relations.extend(
                self.mutually_exclusive_classes(&mut remaining)
                    .into_iter()
                    .map(|connected| {
                        ItemRelation::MutuallyExclusive(
                            connected.into_iter().map(describe).collect(),
                        )
                    }),
            );
        }
        let required = all().filter(|one| self.is_required(*one));
        relations.extend(required.map(|one| ItemRelation::AtLeastOne(describe(one))));
        for one in all() {
            let needed = all().filter(|other| self.needs(one, *other));
            relations
                .extend(needed.map(|other| ItemRelation::Requires(describe(one), describe(other))));
        }
        // Two classes may have the same description if both consist of values that the rule does
        // not name.
        let mut unique: Vec<ItemRelation> = Vec::new();
        for one in relations {
            if !unique.contains(&one) {
                unique.push(one);
            }
        }
        unique
    }
}

impl DeducedRelations {
    /// Returns the classes that exclude each other: as a set if every two classes of a connected
    /// set exclude each other, and as pairs otherwise.
    fn mutually_exclusive_classes(&self, remaining: &mut Vec<usize>) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        while let Some(first) = remaining.first().copied() {
            let mut connected = vec![first];
            let mut position = 0;
            while let Some(one) = connected.get(position).copied() {
                let excluded = remaining
                    .iter()
                    .filter(|other| **other != one && !self.may_occur_with(one, **other));
                let excluded: Vec<usize> = excluded
                    .filter(|other| !connected.contains(other))
                    .copied()
                    .collect();
                connected.extend(excluded);
                position += 1;
            }
            remaining.retain(|class| !connected.contains(class));
            connected.sort_unstable();
            let pairs = || {
                connected.iter().enumerate().flat_map(|(position, one)| {
                    connected
                        .iter()
                        .skip(position + 1)
                        .map(move |other| (*one, *other))
                })
            };
            let exclusive_pairs: Vec<Vec<usize>> = pairs()
                .filter(|(one, other)| !self.may_occur_with(*one, *other))
                .map(|(one, other)| vec![one, other])
                .collect();
            if connected.len() > 2 && exclusive_pairs.len() == pairs().count() {
                found.push(connected);
            } else {
                found.extend(exclusive_pairs);
            }
        }
        found
    }
}

/// Sets the flags of the classes that are not in a list to false.
fn retain_listed(flags: &mut [bool], list: &[usize]) {
    for (class, flag) in flags.iter_mut().enumerate() {
        *flag &= list.contains(&class);
    }
}

serialize_as_json!(ItemRelation);
