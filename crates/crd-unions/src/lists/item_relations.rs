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
            Self::OnlyItem(class) | Self::AtMostOne(class) | Self::AtLeastOne(class) => vec![class],
            Self::MutuallyExclusive(classes) => classes.iter().collect(),
            Self::Requires(class, required_class) => vec![class, required_class],
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
                .map(|field_values| (field_values.field.clone(), json!(field_values.values)));
            Value::Object(fields.collect())
        });
        json!({"ways": patterns.collect::<Vec<_>>(), "others": self.others})
    }
}

/// The maximum length of the lists for which a rule is evaluated.
const MAX_LIST_LENGTH: usize = 3;

/// Returns all lists of up to three items, by the positions of the items. Shorter lists are first.
pub(crate) fn small_lists(item_count: usize) -> Vec<Vec<usize>> {
    let mut lists: Vec<Vec<usize>> = vec![Vec::new()];
    let mut first_extended = 0;
    for _ in 0..MAX_LIST_LENGTH {
        let longer_lists: Vec<Vec<usize>> = lists
            .iter()
            .skip(first_extended)
            .flat_map(|list| {
                (0..item_count).map(|item| {
                    let mut list = list.clone();
                    list.push(item);
                    list
                })
            })
            .collect();
        first_extended = lists.len();
        lists.extend(longer_lists);
    }
    lists
}

/// The relations between classes, deduced from the results for all small lists.
pub(crate) struct DeducedRelations {
    /// The class of each item, or `None` if no list with the item is accepted.
    pub(crate) classes: Vec<Option<usize>>,
    class_count: usize,
    /// For each pair of classes, true if an accepted list has items of both. For a class and
    /// itself, true if an accepted list has two items of the class.
    compatible: Vec<Vec<bool>>,
    /// For each class, true for the classes that occur in every accepted list with this class.
    needed_by_class: Vec<Vec<bool>>,
    /// True for the classes that occur in every accepted list.
    always_required: Vec<bool>,
    /// True if each class has only one item.
    every_class_has_one_item: bool,
    /// True if the relations accept the same small lists as the rule.
    pub(crate) exact: bool,
}

/// Deduces the relations from the results for [`small_lists`]. `None` if the rule does not relate
/// several items.
pub(crate) fn deduce_relations(
    lists: &[Vec<usize>],
    accepted: &[bool],
    item_count: usize,
) -> Option<DeducedRelations> {
    if depends_on_length_only(lists, accepted) {
        return None;
    }
    let classes = classify_items(accepted, item_count);
    let class_count = classes.iter().flatten().max()? + 1;
    let items_of_class = |class: usize| {
        classes
            .iter()
            .filter(move |item_class| **item_class == Some(class))
    };
    let mut relations = DeducedRelations {
        every_class_has_one_item: (0..class_count).all(|class| items_of_class(class).count() == 1),
        classes,
        class_count,
        compatible: vec![vec![false; class_count]; class_count],
        needed_by_class: vec![vec![true; class_count]; class_count],
        always_required: vec![true; class_count],
        exact: true,
    };
    let results = || lists.iter().zip(accepted);
    for (list, _) in results().filter(|(_, accepted)| **accepted) {
        relations.add_accepted_list(&relations.classes_of(list)?);
    }
    relations.exact = results().all(|(list, accepted)| relations.accepts(list) == *accepted);
    let allows_all = relations
        .always_required
        .iter()
        .all(|is_required| !is_required)
        && relations
            .compatible
            .iter()
            .flatten()
            .all(|is_compatible| *is_compatible)
        && (0..class_count)
            .all(|class| (0..class_count).all(|other_class| !relations.needs(class, other_class)));
    (!allows_all).then_some(relations)
}

/// Returns true if the results depend only on the length of the lists.
fn depends_on_length_only(lists: &[Vec<usize>], accepted: &[bool]) -> bool {
    (0..=MAX_LIST_LENGTH).all(|length| {
        let all_results = lists.iter().zip(accepted);
        let mut results = all_results.filter(|(list, _)| list.len() == length);
        let first_result = results.next();
        results.all(|(_, result)| Some(result) == first_result.map(|(_, result)| result))
    })
}

/// Returns the class of each item. Two items are in the same class if each can replace the other in
/// every list.
pub(crate) fn classify_items(accepted: &[bool], item_count: usize) -> Vec<Option<usize>> {
    let result = |list: &[usize]| accepted.get(list_position(list, item_count)) == Some(&true);
    let results_with_item = |item: usize| {
        let mut results = vec![result(&[item])];
        for second in 0..item_count {
            results.extend([result(&[item, second]), result(&[second, item])]);
            for third in 0..item_count {
                results.extend([
                    result(&[item, second, third]),
                    result(&[second, item, third]),
                    result(&[second, third, item]),
                ]);
            }
        }
        results
    };
    let mut results_of_classes: Vec<Vec<bool>> = Vec::new();
    (0..item_count)
        .map(|item| {
            let results = results_with_item(item);
            if !results.contains(&true) {
                return None;
            }
            let class = results_of_classes
                .iter()
                .position(|class_results| *class_results == results);
            Some(class.unwrap_or_else(|| {
                results_of_classes.push(results);
                results_of_classes.len() - 1
            }))
        })
        .collect()
}

/// Returns the position of a list in [`small_lists`].
fn list_position(list: &[usize], item_count: usize) -> usize {
    // Shorter lists are first. Lists of the same length are in the order of the numbers whose
    // digits are the items.
    list.iter()
        .fold(0, |position, item| position * item_count + item + 1)
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
    fn add_accepted_list(&mut self, list: &[usize]) {
        for (position, class) in list.iter().enumerate() {
            for other_class in list.iter().skip(position + 1) {
                for (class, other_class) in [(class, other_class), (other_class, class)] {
                    let row = self.compatible.get_mut(*class);
                    if let Some(flag) = row.and_then(|row| row.get_mut(*other_class)) {
                        *flag = true;
                    }
                }
            }
            if let Some(needed_classes) = self.needed_by_class.get_mut(*class) {
                clear_unlisted(needed_classes, list);
            }
        }
        clear_unlisted(&mut self.always_required, list);
    }

    /// Returns true if a list, given by the positions of its items, satisfies the relations.
    fn accepts(&self, list: &[usize]) -> bool {
        let Some(list) = self.classes_of(list) else {
            return false;
        };
        let mut classes = 0..self.class_count;
        classes.all(|class| list.contains(&class) || !self.is_required(class))
            && list.iter().enumerate().all(|(position, class)| {
                let mut remaining = list.iter().skip(position + 1);
                let mut classes = 0..self.class_count;
                remaining.all(|other_class| self.may_occur_with(*class, *other_class))
                    && classes.all(|other_class| {
                        list.contains(&other_class) || !self.needs(*class, other_class)
                    })
            })
    }

    fn may_occur_with(&self, class: usize, other_class: usize) -> bool {
        let row = self.compatible.get(class);
        row.and_then(|row| row.get(other_class)) == Some(&true)
    }

    fn is_required(&self, class: usize) -> bool {
        self.always_required.get(class) == Some(&true)
    }

    fn needs(&self, class: usize, other_class: usize) -> bool {
        let row = self.needed_by_class.get(class);
        class != other_class
            && !self.is_required(other_class)
            && row.and_then(|row| row.get(other_class)) == Some(&true)
    }

    /// Returns the relations for users. `describe` returns the description of a class.
    pub(crate) fn item_relations(
        &self,
        describe: &dyn Fn(usize) -> ItemClass,
    ) -> Vec<ItemRelation> {
        let classes = || 0..self.class_count;
        let pairs = || {
            classes().flat_map(|class| {
                (class + 1..self.class_count).map(move |other_class| (class, other_class))
            })
        };
        let may_repeat = |class: usize| self.may_occur_with(class, class);
        let mut relations = Vec::new();
        let distinguishes_all_items = self.class_count > 1 && self.every_class_has_one_item;
        if distinguishes_all_items
            && pairs().all(|(class, other_class)| !self.may_occur_with(class, other_class))
            && classes().all(may_repeat)
        {
            relations.push(ItemRelation::AllEqual);
        } else if distinguishes_all_items
            && pairs().all(|(class, other_class)| self.may_occur_with(class, other_class))
            && !classes().any(may_repeat)
        {
            relations.push(ItemRelation::AllDistinct);
        } else {
            let must_be_only_item = |class: usize| {
                self.class_count > 1
                    && classes().all(|other_class| !self.may_occur_with(class, other_class))
            };
            for class in classes() {
                if must_be_only_item(class) {
                    relations.push(ItemRelation::OnlyItem(describe(class)));
                } else if !may_repeat(class) {
                    relations.push(ItemRelation::AtMostOne(describe(class)));
                }
            }
            let remaining: Vec<usize> = classes()
                .filter(|class| !must_be_only_item(*class))
                .collect();
            relations.extend(self.mutually_exclusive_classes(remaining).into_iter().map(
                |connected| {
                    ItemRelation::MutuallyExclusive(connected.into_iter().map(describe).collect())
                },
            ));
        }
        let required = classes().filter(|class| self.is_required(*class));
        relations.extend(required.map(|class| ItemRelation::AtLeastOne(describe(class))));
        for class in classes() {
            let needed_classes = classes().filter(|other_class| self.needs(class, *other_class));
            relations.extend(
                needed_classes.map(|other_class| {
                    ItemRelation::Requires(describe(class), describe(other_class))
                }),
            );
        }
        // Two classes may have the same description if both consist of values that the rule does
        // not name.
        let mut unique: Vec<ItemRelation> = Vec::new();
        for relation in relations {
            if !unique.contains(&relation) {
                unique.push(relation);
            }
        }
        unique
    }
}

impl DeducedRelations {
    /// Returns the classes that exclude each other: as a set if every two classes of a connected
    /// set exclude each other, and as pairs otherwise.
    fn mutually_exclusive_classes(&self, mut remaining: Vec<usize>) -> Vec<Vec<usize>> {
        let mut exclusive_sets = Vec::new();
        while let Some(first) = remaining.first().copied() {
            let mut connected = vec![first];
            let mut position = 0;
            while let Some(class) = connected.get(position).copied() {
                let excluded = remaining.iter().filter(|other_class| {
                    **other_class != class && !self.may_occur_with(class, **other_class)
                });
                let excluded: Vec<usize> = excluded
                    .filter(|other_class| !connected.contains(other_class))
                    .copied()
                    .collect();
                connected.extend(excluded);
                position += 1;
            }
            remaining.retain(|class| !connected.contains(class));
            connected.sort_unstable();
            let pairs = || {
                connected.iter().enumerate().flat_map(|(position, class)| {
                    connected
                        .iter()
                        .skip(position + 1)
                        .map(move |other_class| (*class, *other_class))
                })
            };
            let exclusive_pairs: Vec<Vec<usize>> = pairs()
                .filter(|(class, other_class)| !self.may_occur_with(*class, *other_class))
                .map(|(class, other_class)| vec![class, other_class])
                .collect();
            if connected.len() > 2 && exclusive_pairs.len() == pairs().count() {
                exclusive_sets.push(connected);
            } else {
                exclusive_sets.extend(exclusive_pairs);
            }
        }
        exclusive_sets
    }
}

/// Sets the flags of the classes that are not in a list to false.
fn clear_unlisted(flags: &mut [bool], list: &[usize]) {
    for (class, flag) in flags.iter_mut().enumerate() {
        *flag &= list.contains(&class);
    }
}

serialize_as_json!(ItemRelation);
