//! Where the elements of a list stand, by what they are told apart by.

use core::cell::Cell;
use core::hash::Hash;
use std::borrow::Cow;
use std::collections::HashMap;

use super::digest;
use super::scalar::Scalar;

/// What an element is told apart by, with a number that tells most of them apart.
#[derive(Clone, Copy)]
pub(super) struct Keyed<K> {
    key: K,
    digest: u64,
}

impl<'v> Keyed<Scalar<'v>> {
    pub(super) fn of(key: Scalar<'v>) -> Self {
        let digest = key.digest();
        Self { key, digest }
    }
}

impl<'v> Keyed<Cow<'v, str>> {
    pub(super) fn of_text(key: Cow<'v, str>) -> Self {
        let digest = digest::of_text(&key);
        Self::of_digested_text(key, digest)
    }

    /// The same of a text whose digest is known.
    pub(super) const fn of_digested_text(key: Cow<'v, str>, digest: u64) -> Self {
        Self { key, digest }
    }
}

/// Where each of several elements comes first. Mostly a sorted list of numbers, which is made and searched in a fraction of
/// the time that a table with a keyed hash takes.
pub(super) struct Places<K> {
    keys: Vec<Keyed<K>>,
    /// The high bits of the digests of the keys, with their places in the low ones, in order; of each key its first place.
    sorted: Vec<u64>,
    /// The bits that hold places.
    mask: u64,
    /// Where two keys have one digest, which only happens to those who want it: nothing of the above is searched then.
    by_key: Option<HashMap<K, usize>>,
    /// The place behind the one that was found last.
    ahead: Cell<usize>,
}

impl<K> Default for Places<K> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            sorted: Vec::new(),
            mask: 0,
            by_key: None,
            ahead: Cell::new(0),
        }
    }
}

impl<K: Clone + Eq + Hash> Places<K> {
    pub(super) fn of(keys: Vec<Keyed<K>>) -> Self {
        let end = u64::try_from(keys.len()).unwrap_or(u64::MAX);
        let mask = end.checked_next_power_of_two().unwrap_or_default();
        let mask = mask.wrapping_sub(1);
        let mut sorted: Vec<u64> = Vec::with_capacity(keys.len());
        sorted.extend(
            keys.iter()
                .zip(0..end)
                .map(|(keyed, place)| keyed.digest & !mask | place),
        );
        sorted.sort_unstable();
        let mut places = Self {
            keys,
            sorted: Vec::new(),
            mask,
            by_key: None,
            ahead: Cell::new(0),
        };
        let mut collide = false;
        sorted.dedup_by(|later, first| {
            let is_again = (*later ^ *first) & !mask == 0;
            if is_again {
                let [later, first] = [*later, *first].map(|entry| places.key_of(entry));
                collide |= later != first;
            }
            is_again
        });
        places.sorted = sorted;
        if collide {
            let mut by_key = HashMap::with_capacity(places.keys.len());
            for (place, keyed) in places.keys.iter().enumerate() {
                by_key.entry(keyed.key.clone()).or_insert(place);
            }
            places.by_key = Some(by_key);
        }
        places
    }

    /// The first place of an element.
    pub(super) fn get(&self, keyed: &Keyed<K>) -> Option<usize> {
        if let Some(by_key) = &self.by_key {
            return by_key.get(&keyed.key).copied();
        }
        // Mostly they are looked up in the order in which they stand.
        let next = self.ahead.get();
        if self.are_unique()
            && let Some(found) = self.keys.get(next)
            && found.digest == keyed.digest
            && found.key == keyed.key
        {
            self.ahead.set(next + 1);
            return Some(next);
        }
        let digest = keyed.digest & !self.mask;
        let at = self.sorted.partition_point(|entry| *entry < digest);
        let entry = *self.sorted.get(at)?;
        let is_found = (entry ^ digest) & !self.mask == 0 && self.key_of(entry) == Some(&keyed.key);
        if !is_found {
            return None;
        }
        let place = self.place_of(entry);
        self.ahead.set(place + 1);
        Some(place)
    }

    pub(super) fn contains(&self, keyed: &Keyed<K>) -> bool {
        self.get(keyed).is_some()
    }

    /// Where the key of an element comes first.
    pub(super) fn first(&self, place: usize) -> usize {
        if self.are_unique() {
            return place;
        }
        let keyed = self.keys.get(place);
        keyed.and_then(|keyed| self.get(keyed)).unwrap_or(place)
    }

    /// Whether no key comes twice.
    pub(super) fn are_unique(&self) -> bool {
        let different = self.by_key.as_ref().map_or(self.sorted.len(), HashMap::len);
        different == self.keys.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn keys(&self) -> &[Keyed<K>] {
        &self.keys
    }

    fn place_of(&self, entry: u64) -> usize {
        usize::try_from(entry & self.mask).unwrap_or(usize::MAX)
    }

    fn key_of(&self, entry: u64) -> Option<&K> {
        let keyed = self.keys.get(self.place_of(entry))?;
        Some(&keyed.key)
    }
}

#[cfg(test)]
mod tests {
    use super::{Keyed, Places};

    /// Where a list has each of these, by a digest of our own.
    fn places_of<'k>(keys: &[&'k str], digest: impl Fn(&str) -> u64) -> Vec<Option<usize>> {
        let keyed = |key: &&'k str| Keyed {
            key: *key,
            digest: digest(key),
        };
        let places = Places::of(keys.iter().map(keyed).collect());
        for (place, key) in keys.iter().enumerate() {
            assert_eq!(Some(places.first(place)), places.get(&keyed(key)));
        }
        let asked = ["a", "b", "c", "d", "e"];
        let found = asked.iter().map(|key| places.get(&keyed(key)));
        let found: Vec<Option<usize>> = found.collect();
        // In any other order they are where they were.
        let again = asked.iter().rev().map(|key| places.get(&keyed(key)));
        assert!(again.eq(found.iter().rev().copied()));
        assert_eq!(
            places.are_unique(),
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
