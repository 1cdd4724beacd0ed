//! Pairs of elements that share their merge key, by their other fields.

use std::collections::HashMap;

use serde_json::Value;

use crate::elements::deep_key::DeepKey;
use k8s_json_internals::equality::deep_equal;

/// The largest number of elements with one key that are compared with each other. Of more elements,
/// equal ones are paired first; if still more are left, these are paired in their order.
pub(super) const MOST: usize = 8;

/// The likeness of an element that did not change since it was applied.
const AS_APPLIED: i64 = i64::MAX;

/// The likeness of an element that is already as its author wants it.
const AS_WANTED: i64 = i64::MAX - 1;

/// An element of an author.
#[derive(Clone, Copy)]
pub(super) struct AuthoredElement<'v> {
    /// The element as the author applied it last.
    pub(super) applied: Option<&'v Value>,
    /// The element as the author wants it now.
    pub(super) wanted: Option<&'v Value>,
}

/// The pairs between two lists.
#[derive(Default)]
pub(super) struct Pairs {
    /// For each element of the first list, its position in the second.
    pub(super) seconds: Vec<Option<usize>>,
    /// The elements of both lists, by their positions, that have several equally good pairs.
    pub(super) ambiguous: [Vec<usize>; 2],
    /// True if the ambiguous elements were paired in their order, because they are too many to be
    /// compared with each other.
    pub(super) are_in_order: bool,
}

impl Pairs {
    /// Returns the elements of the first list that have no pair.
    pub(super) fn left_firsts(&self) -> Vec<usize> {
        let numbered = self.seconds.iter().enumerate();
        let left = numbered.filter(|(_, second)| second.is_none());
        left.map(|(first, _)| first).collect()
    }

    /// Returns the elements of the second list, of this length, that have no pair.
    pub(super) fn left_seconds(&self, length: usize) -> Vec<usize> {
        let numbered = self.firsts(length).into_iter().enumerate();
        let left = numbered.filter(|(_, first)| first.is_none());
        left.map(|(second, _)| second).collect()
    }

    /// Returns for each element of the second list, of this length, its position in the first.
    pub(super) fn firsts(&self, length: usize) -> Vec<Option<usize>> {
        let mut firsts = vec![None; length];
        for (first, second) in self.seconds.iter().enumerate() {
            if let Some(place) = second.and_then(|second| firsts.get_mut(second)) {
                *place = Some(first);
            }
        }
        firsts
    }

    fn join(&mut self, first: usize, second: usize) {
        if let Some(pair) = self.seconds.get_mut(first) {
            *pair = Some(second);
        }
    }

    /// Pairs the elements that are left and deeply equal on one side of the author.
    fn join_equal(
        &mut self,
        firsts: &[AuthoredElement<'_>],
        seconds: &[&Value],
        side: for<'v> fn(&AuthoredElement<'v>) -> Option<&'v Value>,
    ) {
        let mut left: HashMap<DeepKey<'_>, Vec<usize>> = HashMap::new();
        for second in self.left_seconds(seconds.len()) {
            if let Some(value) = seconds.get(second) {
                left.entry(DeepKey(value)).or_default().push(second);
            }
        }
        let mut equal: HashMap<DeepKey<'_>, Vec<usize>> = HashMap::new();
        for first in self.left_firsts() {
            if let Some(value) = firsts.get(first).and_then(side) {
                equal.entry(DeepKey(value)).or_default().push(first);
            }
        }
        for (value, equal) in equal {
            let Some(found) = left.get(&value) else {
                continue;
            };
            for (first, second) in equal.iter().zip(found) {
                self.join(*first, *second);
            }
            let mut elements = equal.iter().filter_map(|first| firsts.get(*first));
            let are_same = elements
                .next()
                .is_some_and(|one| elements.all(|other| one.is_same(*other)));
            // Elements that are all paired with equal elements have only one result.
            if equal.len() > found.len() && !are_same {
                self.ambiguous[0].extend(equal);
                self.ambiguous[1].extend(found);
            }
        }
    }

    /// Pairs the elements that are left: the best pairs first. Among equally good pairs, the first
    /// one is taken.
    fn join_best(&mut self, firsts: &[AuthoredElement<'_>], seconds: &[&Value], merge_key: &str) {
        let [left_firsts, left_seconds] = [self.left_firsts(), self.left_seconds(seconds.len())];
        let first_classes = classes(
            &left_firsts,
            |one, other| matches!((firsts.get(one), firsts.get(other)), (Some(one), Some(other)) if one.is_same(*other)),
        );
        let second_classes = classes(
            &left_seconds,
            |one, other| matches!((seconds.get(one), seconds.get(other)), (Some(one), Some(other)) if deep_equal(one, other)),
        );
        let mut candidates = Vec::new();
        for (first, first_class) in left_firsts.iter().zip(first_classes) {
            for (second, second_class) in left_seconds.iter().zip(&second_classes) {
                let (Some(element), Some(found)) = (firsts.get(*first), seconds.get(*second))
                else {
                    continue;
                };
                let likeness = likeness(*element, found, merge_key);
                candidates.extend(likeness.map(|likeness| Candidate {
                    likeness,
                    first: *first,
                    second: *second,
                    classes: (first_class, *second_class),
                }));
            }
        }
        candidates.sort_by_key(|pair| (-pair.likeness, pair.first, pair.second));
        while let Some(best) = candidates.first().copied() {
            let level = candidates
                .iter()
                .take_while(|pair| pair.likeness == best.likeness);
            let clear = level.clone().find(|pair| pair.is_clear(level.clone()));
            if clear.is_none() {
                for pair in level {
                    self.ambiguous[0].push(pair.first);
                    self.ambiguous[1].push(pair.second);
                }
            }
            let Candidate { first, second, .. } = *clear.unwrap_or(&best);
            self.join(first, second);
            candidates.retain(|pair| pair.first != first && pair.second != second);
        }
    }
}

/// A possible pair.
#[derive(Clone, Copy)]
struct Candidate {
    likeness: i64,
    first: usize,
    second: usize,
    /// The first elements that are equal to those of the pair.
    classes: (usize, usize),
}

impl Candidate {
    /// Returns true if each choice among the pairs of this likeness has the same result: the other
    /// pairs of both elements have equal elements, or the elements of one list are equal and enough
    /// for all of the other list.
    fn is_clear<'c>(&self, level: impl Iterator<Item = &'c Self> + Clone) -> bool {
        let of_first = level.clone().filter(|pair| pair.first == self.first);
        let of_second = level.filter(|pair| pair.second == self.second);
        let [seconds, firsts] = [of_first.clone().count(), of_second.clone().count()];
        let equal_seconds = of_first.clone().all(|pair| pair.classes == self.classes);
        let equal_firsts = of_second.clone().all(|pair| pair.classes == self.classes);
        match (equal_firsts, equal_seconds) {
            (true, true) => true,
            (true, false) => seconds <= firsts,
            (false, true) => firsts <= seconds,
            (false, false) => false,
        }
    }
}

impl AuthoredElement<'_> {
    fn is_same(self, other: AuthoredElement<'_>) -> bool {
        let is_equal = |one: Option<&Value>, other: Option<&Value>| match (one, other) {
            (Some(one), Some(other)) => deep_equal(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        is_equal(self.applied, other.applied) && is_equal(self.wanted, other.wanted)
    }
}

/// Returns true if another element is at least as alike to the applied element as the element that
/// was paired with it, so that the author may have changed the other element.
pub(super) fn is_rival(applied: &Value, paired: &Value, other: &Value, merge_key: &str) -> bool {
    let applied = AuthoredElement {
        applied: Some(applied),
        wanted: None,
    };
    let other = likeness(applied, other, merge_key);
    other.is_some() && other >= likeness(applied, paired, merge_key)
}

/// Returns the likeness of an element to an element of its author; `None` if they are different
/// elements.
///
/// The likeness is the number of fields that agree, less the number of fields that disagree. Fields
/// that the author does not set do not count, because a server may add them.
fn likeness(authored: AuthoredElement<'_>, found: &Value, merge_key: &str) -> Option<i64> {
    let AuthoredElement { applied, wanted } = authored;
    if applied.is_some_and(|applied| deep_equal(applied, found)) {
        return Some(AS_APPLIED);
    }
    if wanted.is_some_and(|wanted| deep_equal(wanted, found)) {
        return Some(AS_WANTED);
    }
    let (first, second) = match (applied, wanted) {
        (Some(applied), wanted) => (applied, wanted),
        (None, wanted) => (wanted?, None),
    };
    let second = second.and_then(Value::as_object);
    let found = found.as_object()?;
    let (mut agree, mut disagree) = (0, 0);
    let is_in_second = |name: &str, value: &Value| {
        let wanted = second.and_then(|second| second.get(name));
        wanted.is_some_and(|wanted| deep_equal(wanted, value))
    };
    for (name, value) in first.as_object()? {
        if name == merge_key {
            continue;
        }
        match found.get(name) {
            Some(found) if deep_equal(found, value) || is_in_second(name, found) => agree += 1,
            Some(_) => disagree += 1,
            // Others removed a field that the author still wants.
            None if second.is_some_and(|second| second.contains_key(name)) => disagree += 1,
            None => {}
        }
    }
    for (name, value) in second.into_iter().flatten() {
        let is_new = name != merge_key && first.get(name).is_none();
        if is_new
            && found
                .get(name)
                .is_some_and(|found| deep_equal(found, value))
        {
            agree += 1;
        }
    }
    let is_alike = disagree == 0 || agree > 0 && agree >= disagree;
    is_alike.then_some(agree - disagree)
}

/// Pairs two lists of elements that share their key.
pub(super) fn pairs(firsts: &[AuthoredElement<'_>], seconds: &[&Value], merge_key: &str) -> Pairs {
    let mut found = Pairs {
        seconds: vec![None; firsts.len()],
        ..Pairs::default()
    };
    let is_few = |firsts: usize, seconds: usize| firsts <= MOST && seconds <= MOST;
    if is_few(firsts.len(), seconds.len()) {
        found.join_best(firsts, seconds, merge_key);
        return found;
    }
    found.join_equal(firsts, seconds, |element| element.applied);
    found.join_equal(firsts, seconds, |element| element.wanted);
    let [left_firsts, left_seconds] = [found.left_firsts(), found.left_seconds(seconds.len())];
    if is_few(left_firsts.len(), left_seconds.len()) {
        found.join_best(firsts, seconds, merge_key);
    } else if !left_firsts.is_empty() && !left_seconds.is_empty() {
        for (first, second) in left_firsts.iter().zip(&left_seconds) {
            found.join(*first, *second);
        }
        found.are_in_order = true;
        found.ambiguous[0].extend(left_firsts);
        found.ambiguous[1].extend(left_seconds);
    }
    found
}

/// Returns for each value the position of a deeply equal value in another list, each position once;
/// `None` unless the lists have the same values, in any order.
pub(super) fn permutation(values: &[&Value], others: &[&Value]) -> Option<Vec<usize>> {
    if values.len() != others.len() {
        return None;
    }
    let values = values.iter().map(|value| AuthoredElement {
        applied: Some(value),
        wanted: None,
    });
    let mut found = Pairs {
        seconds: vec![None; others.len()],
        ..Pairs::default()
    };
    found.join_equal(&values.collect::<Vec<_>>(), others, |element| {
        element.applied
    });
    found.seconds.into_iter().collect()
}

/// Returns for each element the position of the first element that is equal.
fn classes(elements: &[usize], are_equal: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let first_equal = |element: &usize| {
        let mut before = elements.iter().take_while(|before| *before != element);
        *before
            .find(|before| are_equal(**before, *element))
            .unwrap_or(element)
    };
    elements.iter().map(first_equal).collect()
}
