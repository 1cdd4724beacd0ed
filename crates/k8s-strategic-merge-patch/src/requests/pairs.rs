//! Pairs of elements that share their merge key, by their other fields.

use std::collections::HashMap;

use serde_json::Value;

use crate::elements::deep_key::DeepKey;
use k8s_json_internals::equality::deep_equal;

/// The maximum number of elements with one key that are all compared with each other. If there are
/// more elements, equal elements are paired first; if more than the maximum remain unpaired, they
/// are paired in their order.
pub(super) const MAX_COMPARED: usize = 8;

/// The similarity of an element that did not change since it was applied.
const SIMILARITY_OF_APPLIED: i64 = i64::MAX;

/// The similarity of an element that already is as its author wants.
const SIMILARITY_OF_WANTED: i64 = i64::MAX - 1;

/// An element of the author of a patch.
#[derive(Clone, Copy)]
pub(super) struct AuthoredElement<'v> {
    /// The element as the author applied it last.
    pub(super) applied: Option<&'v Value>,
    /// The element as the author wants it now.
    pub(super) wanted: Option<&'v Value>,
}

/// The pairs between a first and a second list. Elements are identified by their positions.
#[derive(Default)]
pub(super) struct Pairs {
    /// For each element of the first list, the paired element of the second list.
    pub(super) second_of_first: Vec<Option<usize>>,
    /// The elements of each list that have several equally good pairs.
    pub(super) ambiguous: [Vec<usize>; 2],
    /// True if the ambiguous elements were paired in their order, because they are too many to be
    /// compared with each other.
    pub(super) are_paired_by_position: bool,
}

impl Pairs {
    /// Returns the unpaired elements of the first list.
    pub(super) fn unpaired_firsts(&self) -> Vec<usize> {
        let indexed_seconds = self.second_of_first.iter().enumerate();
        let unpaired = indexed_seconds.filter(|(_, second)| second.is_none());
        unpaired.map(|(first, _)| first).collect()
    }

    /// Returns the unpaired elements of the second list, which has this length.
    pub(super) fn unpaired_seconds(&self, length: usize) -> Vec<usize> {
        let indexed_firsts = self.first_of_second(length).into_iter().enumerate();
        let unpaired = indexed_firsts.filter(|(_, first)| first.is_none());
        unpaired.map(|(second, _)| second).collect()
    }

    /// Returns the paired element of the first list for each element of the second list, which has
    /// this length.
    pub(super) fn first_of_second(&self, length: usize) -> Vec<Option<usize>> {
        let mut firsts = vec![None; length];
        for (first, second) in self.second_of_first.iter().enumerate() {
            if let Some(first_of_second) = second.and_then(|second| firsts.get_mut(second)) {
                *first_of_second = Some(first);
            }
        }
        firsts
    }

    fn pair(&mut self, first: usize, second: usize) {
        if let Some(pair) = self.second_of_first.get_mut(first) {
            *pair = Some(second);
        }
    }

    /// Pairs unpaired elements that are deeply equal. Authored elements are compared by one of
    /// their versions.
    fn pair_equal(
        &mut self,
        firsts: &[AuthoredElement<'_>],
        seconds: &[&Value],
        version: for<'v> fn(&AuthoredElement<'v>) -> Option<&'v Value>,
    ) {
        let mut seconds_by_value: HashMap<DeepKey<'_>, Vec<usize>> = HashMap::new();
        for second in self.unpaired_seconds(seconds.len()) {
            if let Some(value) = seconds.get(second) {
                seconds_by_value
                    .entry(DeepKey(value))
                    .or_default()
                    .push(second);
            }
        }
        let mut firsts_by_value: HashMap<DeepKey<'_>, Vec<usize>> = HashMap::new();
        for first in self.unpaired_firsts() {
            if let Some(value) = firsts.get(first).and_then(version) {
                firsts_by_value
                    .entry(DeepKey(value))
                    .or_default()
                    .push(first);
            }
        }
        for (value, equal_firsts) in firsts_by_value {
            let Some(equal_seconds) = seconds_by_value.get(&value) else {
                continue;
            };
            for (first, second) in equal_firsts.iter().zip(equal_seconds) {
                self.pair(*first, *second);
            }
            let mut elements = equal_firsts.iter().filter_map(|first| firsts.get(*first));
            let are_equal = elements
                .next()
                .is_some_and(|first| elements.all(|element| first.is_equal(*element)));
            // If the authored elements are equal, each choice among them has the same result.
            if equal_firsts.len() > equal_seconds.len() && !are_equal {
                self.ambiguous[0].extend(equal_firsts);
                self.ambiguous[1].extend(equal_seconds);
            }
        }
    }

    /// Pairs the unpaired elements: the most similar pairs first. If several pairs are equally
    /// similar, the first of these pairs is chosen.
    fn pair_best(&mut self, firsts: &[AuthoredElement<'_>], seconds: &[&Value], merge_key: &str) {
        let [unpaired_firsts, unpaired_seconds] =
            [self.unpaired_firsts(), self.unpaired_seconds(seconds.len())];
        let first_classes = equivalence_classes(
            &unpaired_firsts,
            |index, other| matches!((firsts.get(index), firsts.get(other)), (Some(element), Some(other)) if element.is_equal(*other)),
        );
        let second_classes = equivalence_classes(
            &unpaired_seconds,
            |index, other| matches!((seconds.get(index), seconds.get(other)), (Some(element), Some(other)) if deep_equal(element, other)),
        );
        let mut candidates = Vec::new();
        for (first, first_class) in unpaired_firsts.iter().zip(first_classes) {
            for (second, second_class) in unpaired_seconds.iter().zip(&second_classes) {
                let (Some(authored), Some(live)) = (firsts.get(*first), seconds.get(*second))
                else {
                    continue;
                };
                let similarity = similarity(*authored, live, merge_key);
                candidates.extend(similarity.map(|similarity| Candidate {
                    similarity,
                    first: *first,
                    second: *second,
                    classes: (first_class, *second_class),
                }));
            }
        }
        candidates.sort_by_key(|pair| (-pair.similarity, pair.first, pair.second));
        while let Some(best) = candidates.first().copied() {
            let ties = candidates
                .iter()
                .take_while(|pair| pair.similarity == best.similarity);
            let unambiguous = ties.clone().find(|pair| pair.is_unambiguous(ties.clone()));
            if unambiguous.is_none() {
                for pair in ties {
                    self.ambiguous[0].push(pair.first);
                    self.ambiguous[1].push(pair.second);
                }
            }
            let Candidate { first, second, .. } = *unambiguous.unwrap_or(&best);
            self.pair(first, second);
            candidates.retain(|pair| pair.first != first && pair.second != second);
        }
    }
}

/// A possible pair.
#[derive(Clone, Copy)]
struct Candidate {
    similarity: i64,
    first: usize,
    second: usize,
    /// The equivalence classes of both elements.
    classes: (usize, usize),
}

impl Candidate {
    /// Returns true if each choice among equally similar pairs has the same result: the other pairs
    /// of both elements have equal elements, or the elements of one list are equal and at least as
    /// many as the elements of the other list.
    fn is_unambiguous<'c>(&self, ties: impl Iterator<Item = &'c Self> + Clone) -> bool {
        let pairs_of_first = ties.clone().filter(|pair| pair.first == self.first);
        let pairs_of_second = ties.filter(|pair| pair.second == self.second);
        let [second_count, first_count] = [
            pairs_of_first.clone().count(),
            pairs_of_second.clone().count(),
        ];
        let equal_seconds = pairs_of_first
            .clone()
            .all(|pair| pair.classes == self.classes);
        let equal_firsts = pairs_of_second
            .clone()
            .all(|pair| pair.classes == self.classes);
        match (equal_firsts, equal_seconds) {
            (true, true) => true,
            (true, false) => second_count <= first_count,
            (false, true) => first_count <= second_count,
            (false, false) => false,
        }
    }
}

impl AuthoredElement<'_> {
    fn is_equal(self, other: AuthoredElement<'_>) -> bool {
        let is_equal = |version: Option<&Value>, other: Option<&Value>| match (version, other) {
            (Some(version), Some(other)) => deep_equal(version, other),
            (version, other) => version.is_none() && other.is_none(),
        };
        is_equal(self.applied, other.applied) && is_equal(self.wanted, other.wanted)
    }
}

/// Returns true if another element is at least as similar to the applied element as the paired
/// element, so that the other element may be the applied element.
pub(super) fn is_rival(applied: &Value, paired: &Value, other: &Value, merge_key: &str) -> bool {
    let applied = AuthoredElement {
        applied: Some(applied),
        wanted: None,
    };
    let other_similarity = similarity(applied, other, merge_key);
    other_similarity.is_some() && other_similarity >= similarity(applied, paired, merge_key)
}

/// Returns the similarity of an element to an authored element; `None` if they differ too much to
/// be a pair.
///
/// The similarity is the number of equal fields minus the number of different fields. Fields
/// that the author does not set do not count, because a server may add them.
fn similarity(authored: AuthoredElement<'_>, live_element: &Value, merge_key: &str) -> Option<i64> {
    let AuthoredElement { applied, wanted } = authored;
    if applied.is_some_and(|applied| deep_equal(applied, live_element)) {
        return Some(SIMILARITY_OF_APPLIED);
    }
    if wanted.is_some_and(|wanted| deep_equal(wanted, live_element)) {
        return Some(SIMILARITY_OF_WANTED);
    }
    let (primary, secondary) = match (applied, wanted) {
        (Some(applied), wanted) => (applied, wanted),
        (None, wanted) => (wanted?, None),
    };
    let secondary = secondary.and_then(Value::as_object);
    let live_object = live_element.as_object()?;
    let (mut equal_count, mut different_count) = (0, 0);
    let is_in_secondary = |name: &str, value: &Value| {
        let wanted = secondary.and_then(|secondary| secondary.get(name));
        wanted.is_some_and(|wanted| deep_equal(wanted, value))
    };
    for (name, value) in primary.as_object()? {
        if name == merge_key {
            continue;
        }
        match live_object.get(name) {
            Some(live_value)
                if deep_equal(live_value, value) || is_in_secondary(name, live_value) =>
            {
                equal_count += 1;
            }
            Some(_) => different_count += 1,
            // Others removed a field that the author still wants.
            None if secondary.is_some_and(|object| object.contains_key(name)) => {
                different_count += 1;
            }
            None => {}
        }
    }
    for (name, value) in secondary.into_iter().flatten() {
        let is_new = name != merge_key && primary.get(name).is_none();
        if is_new
            && live_object
                .get(name)
                .is_some_and(|live_value| deep_equal(live_value, value))
        {
            equal_count += 1;
        }
    }
    let is_similar = different_count == 0 || equal_count > 0 && equal_count >= different_count;
    is_similar.then_some(equal_count - different_count)
}

/// Pairs two lists of elements that share their key.
pub(super) fn pair_elements(
    firsts: &[AuthoredElement<'_>],
    seconds: &[&Value],
    merge_key: &str,
) -> Pairs {
    let mut pairs = Pairs {
        second_of_first: vec![None; firsts.len()],
        ..Pairs::default()
    };
    let is_few = |firsts: usize, seconds: usize| firsts <= MAX_COMPARED && seconds <= MAX_COMPARED;
    if is_few(firsts.len(), seconds.len()) {
        pairs.pair_best(firsts, seconds, merge_key);
        return pairs;
    }
    pairs.pair_equal(firsts, seconds, |element| element.applied);
    pairs.pair_equal(firsts, seconds, |element| element.wanted);
    let [unpaired_firsts, unpaired_seconds] = [
        pairs.unpaired_firsts(),
        pairs.unpaired_seconds(seconds.len()),
    ];
    if is_few(unpaired_firsts.len(), unpaired_seconds.len()) {
        pairs.pair_best(firsts, seconds, merge_key);
    } else if !unpaired_firsts.is_empty() && !unpaired_seconds.is_empty() {
        for (first, second) in unpaired_firsts.iter().zip(&unpaired_seconds) {
            pairs.pair(*first, *second);
        }
        pairs.are_paired_by_position = true;
        pairs.ambiguous[0].extend(unpaired_firsts);
        pairs.ambiguous[1].extend(unpaired_seconds);
    }
    pairs
}

/// Returns the permutation of `others` that equals `values`: for each value, the position of a
/// deeply equal value. Returns `None` if there is no such permutation.
pub(super) fn permutation(values: &[&Value], others: &[&Value]) -> Option<Vec<usize>> {
    if values.len() != others.len() {
        return None;
    }
    let values = values.iter().map(|value| AuthoredElement {
        applied: Some(value),
        wanted: None,
    });
    let mut pairs = Pairs {
        second_of_first: vec![None; others.len()],
        ..Pairs::default()
    };
    pairs.pair_equal(&values.collect::<Vec<_>>(), others, |element| {
        element.applied
    });
    pairs.second_of_first.into_iter().collect()
}

/// Returns the equivalence class of each element: the first element that is equal to it.
fn equivalence_classes(elements: &[usize], are_equal: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let first_equal = |element: &usize| {
        let mut earlier_elements = elements.iter().take_while(|earlier| *earlier != element);
        *earlier_elements
            .find(|earlier| are_equal(**earlier, *element))
            .unwrap_or(element)
    };
    elements.iter().map(first_equal).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{
        AuthoredElement, SIMILARITY_OF_APPLIED, SIMILARITY_OF_WANTED, is_rival, similarity,
    };

    /// The applied, the wanted and the live element, without the key, and the similarity.
    const SIMILARITIES: &[([&str; 3], Option<i64>)] = &[
        (
            [r#""a": 1"#, r#""b": 1"#, r#""a": 1"#],
            Some(SIMILARITY_OF_APPLIED),
        ),
        (
            [r#""a": 1"#, r#""a": 2"#, r#""a": 2"#],
            Some(SIMILARITY_OF_WANTED),
        ),
        // The field `z` of others does not count.
        ([r#""a": 1"#, "", r#""a": 1, "z": 1"#], Some(1)),
        ([r#""a": 1"#, "", r#""a": 2"#], None),
        ([r#""a": 1, "b": 1"#, "", r#""a": 2, "b": 1"#], Some(0)),
        // A field that others removed counts if the author still wants the field.
        ([r#""a": 1"#, r#""b": 1"#, r#""z": 1"#], Some(0)),
        ([r#""a": 1"#, r#""a": 2"#, ""], None),
        (
            [
                r#""a": 1, "b": 1, "c": 1"#,
                r#""a": 2"#,
                r#""b": 1, "c": 1"#,
            ],
            Some(1),
        ),
        // A new field of the author counts if the live element has the field.
        (
            [
                r#""a": 1"#,
                r#""a": 1, "n": 1"#,
                r#""a": 1, "n": 1, "z": 1"#,
            ],
            Some(2),
        ),
        (
            [
                r#""a": 1"#,
                r#""a": 1, "n": 1"#,
                r#""a": 1, "n": 2, "z": 1"#,
            ],
            Some(1),
        ),
    ];

    /// Returns an element with the key `p` and other fields.
    fn element(fields: &str) -> Value {
        let comma = if fields.is_empty() { "" } else { "," };
        let element = format!(r#"{{"p": 1{comma} {fields}}}"#);
        serde_json::from_str(&element).unwrap()
    }

    #[test]
    fn the_similarity_counts_the_fields_that_the_author_sets() {
        for (fields, expected) in SIMILARITIES {
            let [applied, wanted, live] = fields.map(element);
            let has_wanted = !fields[1].is_empty();
            let authored = AuthoredElement {
                applied: Some(&applied),
                wanted: has_wanted.then_some(&wanted),
            };
            assert_eq!(similarity(authored, &live, "p"), *expected, "{fields:?}");
        }
    }

    #[test]
    fn a_rival_is_at_least_as_similar_as_the_paired_element() {
        let applied = json!({"p": 1, "a": 1, "b": 1});
        let exact = applied.clone();
        let similar = json!({"p": 1, "a": 1, "b": 2});
        let different = json!({"p": 1, "a": 2, "b": 2});
        for (paired, other, expected) in [
            (&exact, &similar, false),
            (&similar, &exact, true),
            (&similar, &similar, true),
            (&similar, &different, false),
            (&different, &similar, true),
            (&different, &different, false),
        ] {
            assert_eq!(
                is_rival(&applied, paired, other, "p"),
                expected,
                "{paired} {other}"
            );
        }
    }

    #[test]
    fn authored_elements_are_equal_if_both_versions_are_equal() {
        let (a, b) = (json!({"a": 1}), json!({"a": 2}));
        let versions = [None, Some(&a), Some(&b)];
        let elements = versions.iter().flat_map(|applied| {
            let versions = versions.iter();
            versions.map(|wanted| AuthoredElement {
                applied: *applied,
                wanted: *wanted,
            })
        });
        let elements: Vec<AuthoredElement<'_>> = elements.collect();
        for (i, first) in elements.iter().enumerate() {
            for (k, second) in elements.iter().enumerate() {
                assert_eq!(first.is_equal(*second), i == k, "{i} {k}");
            }
        }
    }
}
