//! Pairs of elements that share their merge key, by their other fields.

use serde_json::Value;

use k8s_json_internals::equality::deep_equal;

/// The largest number of elements with one key that are compared with each other. More elements are
/// paired in their order.
pub(super) const MOST: usize = 8;

/// The likeness of an element that did not change since it was applied.
const AS_APPLIED: i64 = i64::MAX;

/// The likeness of an element that is already as its author wants it.
const AS_WANTED: i64 = i64::MAX - 1;

/// The pairs between two lists.
pub(super) struct Pairs {
    /// For each element of the first list, its position in the second.
    pub(super) seconds: Vec<Option<usize>>,
    /// True if several pairs are equally good.
    pub(super) are_ambiguous: bool,
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
        let mut is_taken = vec![false; length];
        for second in self.seconds.iter().flatten() {
            if let Some(is_taken) = is_taken.get_mut(*second) {
                *is_taken = true;
            }
        }
        let numbered = is_taken.into_iter().enumerate();
        let left = numbered.filter(|(_, is_taken)| !is_taken);
        left.map(|(second, _)| second).collect()
    }
}

/// Returns the likeness of an element to an element of its author, as applied last and as wanted
/// now; `None` if they are different elements.
///
/// The likeness is the number of fields that agree, less the number of fields that disagree. Fields
/// that the author does not set do not count, because a server may add them.
pub(super) fn likeness(
    applied: Option<&Value>,
    wanted: Option<&Value>,
    found: &Value,
    merge_key: &str,
) -> Option<i64> {
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

/// Pairs two lists of elements that share their key: the best pairs first. Among equally good
/// pairs, the first one is taken; these are ambiguous, unless the elements are equal.
pub(super) fn pairs(
    firsts: &[&Value],
    seconds: &[&Value],
    likeness: impl Fn(usize, usize) -> Option<i64>,
    are_equal_firsts: impl Fn(usize, usize) -> bool,
) -> Pairs {
    let mut found = Pairs {
        seconds: vec![None; firsts.len()],
        are_ambiguous: false,
    };
    if firsts.len() > MOST || seconds.len() > MOST {
        for (i, second) in found.seconds.iter_mut().enumerate() {
            *second = Some(i).filter(|i| *i < seconds.len());
        }
        let mut both = firsts.iter().zip(seconds);
        let are_equal = both.all(|(first, second)| deep_equal(first, second));
        found.are_ambiguous = !are_equal || firsts.len() != seconds.len();
        return found;
    }
    let first_classes = classes(firsts.len(), are_equal_firsts);
    let second_classes = classes(
        seconds.len(),
        |one, other| matches!((seconds.get(one), seconds.get(other)), (Some(one), Some(other)) if deep_equal(one, other)),
    );
    let mut candidates = Vec::new();
    for first in 0..firsts.len() {
        for second in 0..seconds.len() {
            candidates.extend(likeness(first, second).map(|likeness| (likeness, first, second)));
        }
    }
    candidates.sort_by_key(|(likeness, first, second)| (-likeness, *first, *second));
    while let Some((best, _, _)) = candidates.first().copied() {
        let level = candidates
            .iter()
            .take_while(|(likeness, ..)| *likeness == best);
        let level: Vec<(usize, usize)> =
            level.map(|(_, first, second)| (*first, *second)).collect();
        let is_clear = |(first, second): &(usize, usize)| {
            level.iter().all(|(other_first, other_second)| {
                let is_rival = (other_first == first) != (other_second == second);
                !is_rival
                    || (first_classes.get(*other_first) == first_classes.get(*first)
                        && second_classes.get(*other_second) == second_classes.get(*second))
            })
        };
        let clear = level.iter().find(|pair| is_clear(pair)).copied();
        found.are_ambiguous |= clear.is_none();
        let Some((first, second)) = clear.or_else(|| level.first().copied()) else {
            break;
        };
        if let Some(pair) = found.seconds.get_mut(first) {
            *pair = Some(second);
        }
        candidates.retain(|(_, one, other)| *one != first && *other != second);
    }
    found
}

/// Returns for each element the position of the first element that is equal.
fn classes(length: usize, are_equal: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let first_equal = |i: usize| (0..i).find(|before| are_equal(*before, i)).unwrap_or(i);
    (0..length).map(first_equal).collect()
}
