//! Positions of list elements, by their identities.

use core::cell::Cell;
use core::hash::Hash;
use std::borrow::Cow;
use std::collections::HashMap;

use super::scalar::Scalar;
use k8s_json_internals::digest::{self, HashIndex};

/// The identity of an element, with a digest. Different identities usually have different digests.
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

/// An index of a list: the first position of each element.
pub(crate) struct ElementIndex<K> {
    keys: Vec<HashedKey<K>>,
    first_positions: FirstPositions<K>,
    has_unique_keys: bool,
    /// The position after the element that was looked up last.
    expected_position: Cell<usize>,
}

/// The first positions of keys. `ByDigest` is much faster than a `HashMap` with its keyed hash, and
/// is used unless digests collide.
enum FirstPositions<K> {
    ByDigest(HashIndex),
    ByKey(HashMap<K, usize>),
}

impl<K: Clone + Eq + Hash> FirstPositions<K> {
    fn by_key(keys: &[HashedKey<K>]) -> Self {
        let mut by_key = HashMap::with_capacity(keys.len());
        for (position, hashed) in keys.iter().enumerate() {
            by_key.entry(hashed.key.clone()).or_insert(position);
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
        let key = |position: usize| keys.get(position).map(|hashed| &hashed.key);
        let digests = keys.iter().map(|hashed| hashed.digest).enumerate();
        let digests = HashIndex::build(keys.len(), digests, |first, second| {
            key(first) == key(second)
        });
        let first_positions =
            digests.map_or_else(|| FirstPositions::by_key(&keys), FirstPositions::ByDigest);
        let distinct_count = match &first_positions {
            FirstPositions::ByDigest(digests) => digests.len(),
            FirstPositions::ByKey(by_key) => by_key.len(),
        };
        Self {
            has_unique_keys: distinct_count == keys.len(),
            keys,
            first_positions,
            expected_position: Cell::new(0),
        }
    }

    /// Returns the first position of an element.
    pub(crate) fn get(&self, hashed: &HashedKey<K>) -> Option<usize> {
        let digests = match &self.first_positions {
            FirstPositions::ByDigest(digests) => digests,
            FirstPositions::ByKey(by_key) => return by_key.get(&hashed.key).copied(),
        };
        let is_match = |position: usize| {
            let candidate = self.keys.get(position);
            candidate.is_some_and(|candidate| {
                candidate.digest == hashed.digest && candidate.key == hashed.key
            })
        };
        // Fast path: elements are usually looked up in order.
        let next = self.expected_position.get();
        let position = if self.has_unique_keys && is_match(next) {
            next
        } else {
            digests.find(hashed.digest, is_match)?
        };
        self.expected_position.set(position + 1);
        Some(position)
    }

    pub(crate) fn contains(&self, hashed: &HashedKey<K>) -> bool {
        self.get(hashed).is_some()
    }

    /// Returns the first position of the key of the element at `position`.
    pub(crate) fn first_position(&self, position: usize) -> usize {
        if self.has_unique_keys {
            return position;
        }
        let hashed = self.keys.get(position);
        hashed
            .and_then(|hashed| self.get(hashed))
            .unwrap_or(position)
    }

    /// Returns true if all keys are different.
    pub(crate) const fn has_unique_keys(&self) -> bool {
        self.has_unique_keys
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
    fn first_positions<'k>(keys: &[&'k str], digest: impl Fn(&str) -> u64) -> Vec<Option<usize>> {
        let hashed = |key: &&'k str| HashedKey {
            key: *key,
            digest: digest(key),
        };
        let index = ElementIndex::new(keys.iter().map(hashed).collect());
        for (position, key) in keys.iter().enumerate() {
            assert_eq!(
                Some(index.first_position(position)),
                index.get(&hashed(key))
            );
        }
        let letters = ["a", "b", "c", "d", "e"];
        let positions = letters.iter().map(|key| index.get(&hashed(key)));
        let positions: Vec<Option<usize>> = positions.collect();
        // The result does not depend on the order of the lookups.
        let reversed_positions = letters.iter().rev().map(|key| index.get(&hashed(key)));
        assert!(reversed_positions.eq(positions.iter().rev().copied()));
        assert_eq!(
            index.has_unique_keys(),
            keys.len() == positions.iter().flatten().count()
        );
        positions
    }

    #[test]
    fn get_returns_the_first_position_of_a_key_even_if_digests_collide() {
        let length = |key: &str| key.len() as u64;
        let letter = |key: &str| u64::from(key.as_bytes()[0]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for (keys, expected_positions) in [
            (&[][..], [None; 5]),
            (&["a"], [Some(0), None, None, None, None]),
            (&["c", "a", "b"], [Some(1), Some(2), Some(0), None, None]),
            (&["a", "a", "a"], [Some(0), None, None, None, None]),
            (
                &["b", "a", "b", "e", "a", "e"],
                [Some(1), Some(0), None, None, Some(3)],
            ),
        ] {
            assert_eq!(
                first_positions(keys, letter),
                expected_positions,
                "{keys:?}"
            );
            assert_eq!(
                first_positions(keys, length),
                expected_positions,
                "{keys:?}, all of one digest"
            );
        }
    }
}
