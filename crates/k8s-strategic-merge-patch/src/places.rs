//! Where the elements of a list stand, by what they are told apart by.

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
}

impl<K> Default for Places<K> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            sorted: Vec::new(),
            mask: 0,
            by_key: None,
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
        let digest = keyed.digest & !self.mask;
        let at = self.sorted.partition_point(|entry| *entry < digest);
        let entry = *self.sorted.get(at)?;
        let is_found = (entry ^ digest) & !self.mask == 0 && self.key_of(entry) == Some(&keyed.key);
        is_found.then(|| self.place_of(entry))
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
