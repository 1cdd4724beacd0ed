//! Positions of list elements, by their identities.

use core::cell::Cell;
use core::hash::Hash;
use std::borrow::Cow;
use std::collections::HashMap;

use super::scalar::Scalar;
use k8s_json_internals::digest::{self, HashIndex};

/// The identity of an element, with a digest that differs for most identities.
#[derive(Clone, Copy)]
pub(crate) struct HashedKey<K> {
    key: K,
    digest: u64,
}

impl<'v> HashedKey<Scalar<'v>> {
    pub(crate) fn from_scalar(key: Scalar<'v>) -> Self {
        let digest = key.digest();
        Self { key, digest }
    }
}

impl<'v> HashedKey<Cow<'v, str>> {
    pub(crate) fn from_string(key: Cow<'v, str>) -> Self {
        let digest = digest::digest_str(&key);
        Self::from_digested_string(key, digest)
    }

    /// Returns the key of a string whose digest is known.
    pub(crate) const fn from_digested_string(key: Cow<'v, str>, digest: u64) -> Self {
        Self { key, digest }
    }
}

/// The first position of each of several elements.
pub(crate) struct ElementIndex<K> {
    keys: Vec<HashedKey<K>>,
    firsts: FirstPositions<K>,
    are_unique: bool,
    /// The position after the element that was found last.
    ahead: Cell<usize>,
}

/// The first positions of keys: usually a sorted list of digests, which is created and searched in
/// a fraction of the time of a table with a keyed hash.
enum FirstPositions<K> {
    ByDigest(HashIndex),
    ByKey(HashMap<K, usize>),
}

impl<K: Clone + Eq + Hash> FirstPositions<K> {
    fn by_key(keys: &[HashedKey<K>]) -> Self {
        let mut by_key = HashMap::with_capacity(keys.len());
        for (place, keyed) in keys.iter().enumerate() {
            by_key.entry(keyed.key.clone()).or_insert(place);
        }
        Self::ByKey(by_key)
    }
}

impl<K: Clone + Eq + Hash> Default for ElementIndex<K> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<K: Clone + Eq + Hash> ElementIndex<K> {
    pub(crate) fn new(keys: Vec<HashedKey<K>>) -> Self {
        let key = |place: usize| keys.get(place).map(|keyed| &keyed.key);
        let digests = keys.iter().map(|keyed| keyed.digest).enumerate();
        let digests = HashIndex::build(keys.len(), digests, |one, other| key(one) == key(other));
        let firsts =
            digests.map_or_else(|| FirstPositions::by_key(&keys), FirstPositions::ByDigest);
        let different = match &firsts {
            FirstPositions::ByDigest(digests) => digests.len(),
            FirstPositions::ByKey(by_key) => by_key.len(),
        };
        Self {
            are_unique: different == keys.len(),
            keys,
            firsts,
            ahead: Cell::new(0),
        }
    }

    /// Returns the first position of an element.
    pub(crate) fn get(&self, keyed: &HashedKey<K>) -> Option<usize> {
        let digests = match &self.firsts {
            FirstPositions::ByDigest(digests) => digests,
            FirstPositions::ByKey(by_key) => return by_key.get(&keyed.key).copied(),
        };
        let is_it = |place: usize| {
            let found = self.keys.get(place);
            found.is_some_and(|found| found.digest == keyed.digest && found.key == keyed.key)
        };
        // Fast path: elements are usually looked up in order.
        let next = self.ahead.get();
        let place = if self.are_unique && is_it(next) {
            next
        } else {
            digests.find(keyed.digest, is_it)?
        };
        self.ahead.set(place + 1);
        Some(place)
    }

    pub(crate) fn contains(&self, keyed: &HashedKey<K>) -> bool {
        self.get(keyed).is_some()
    }

    /// Returns the first position of the key of the element at `place`.
    pub(crate) fn first_position(&self, place: usize) -> usize {
        if self.are_unique {
            return place;
        }
        let keyed = self.keys.get(place);
        keyed.and_then(|keyed| self.get(keyed)).unwrap_or(place)
    }

    /// Returns true if all keys are different.
    pub(crate) const fn has_unique_keys(&self) -> bool {
        self.are_unique
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(crate) fn keys(&self) -> &[HashedKey<K>] {
        &self.keys
    }
}

#[cfg(test)]
mod tests {
    use super::{ElementIndex, HashedKey};

    /// Returns the first position of each letter in a list, with a digest of the caller.
    fn places_of<'k>(keys: &[&'k str], digest: impl Fn(&str) -> u64) -> Vec<Option<usize>> {
        let keyed = |key: &&'k str| HashedKey {
            key: *key,
            digest: digest(key),
        };
        let places = ElementIndex::new(keys.iter().map(keyed).collect());
        for (place, key) in keys.iter().enumerate() {
            assert_eq!(Some(places.first_position(place)), places.get(&keyed(key)));
        }
        let asked = ["a", "b", "c", "d", "e"];
        let found = asked.iter().map(|key| places.get(&keyed(key)));
        let found: Vec<Option<usize>> = found.collect();
        // The result does not depend on the order of the lookups.
        let again = asked.iter().rev().map(|key| places.get(&keyed(key)));
        assert!(again.eq(found.iter().rev().copied()));
        assert_eq!(
            places.has_unique_keys(),
            keys.len() == found.iter().flatten().count()
        );
        found
    }

    #[test]
    fn elements_are_found_at_their_first_places_whatever_their_digests_are() {
        let length = |text: &str| text.len() as u64;
        let letter = |text: &str| u64::from(text.as_bytes()[0]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for (keys, found) in [
            (&[][..], [None; 5]),
            (&["a"], [Some(0), None, None, None, None]),
            (&["c", "a", "b"], [Some(1), Some(2), Some(0), None, None]),
            (&["a", "a", "a"], [Some(0), None, None, None, None]),
            (
                &["b", "a", "b", "e", "a", "e"],
                [Some(1), Some(0), None, None, Some(3)],
            ),
        ] {
            assert_eq!(places_of(keys, letter), found, "{keys:?}");
            assert_eq!(
                places_of(keys, length),
                found,
                "{keys:?}, all of one digest"
            );
        }
    }
}
