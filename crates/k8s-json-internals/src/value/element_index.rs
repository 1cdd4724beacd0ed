//! Lookups of the old elements of a list by their keys (`listMapKeys`).
//!
//! An index is created when the first element of a list is looked up. [`IndexCache`] keeps the
//! indexes, so that a list is indexed once per walk.

use core::cell::{Cell, RefCell};
use core::hash::BuildHasher as _;
use core::marker::PhantomData;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::sync::Arc;

use crate::value::digest::{self, HashIndex};
use crate::value::key::Key;

/// The keys of the elements of a list. Only crates of this workspace implement this trait. The
/// trait is not sealed, because several crates implement it.
pub trait ElementKeys<T> {
    /// Returns true if the list has keys.
    fn has_keys(&self) -> bool;

    /// Returns the values of an element's keys, in the order of the keys. Returns `None` if a value
    /// is missing.
    fn key_tuple<'e>(&'e self, element: &'e T) -> Option<KeyTuple<'e>>;
}

impl<T, K: ElementKeys<T>> ElementKeys<T> for &K {
    fn has_keys(&self) -> bool {
        (**self).has_keys()
    }

    fn key_tuple<'e>(&'e self, element: &'e T) -> Option<KeyTuple<'e>> {
        (**self).key_tuple(element)
    }
}

/// The values of an element's keys. Nearly all lists have one key, so its value does not need an
/// allocation.
#[derive(PartialEq, Eq, Hash)]
pub enum KeyTuple<'e> {
    /// The value of one key.
    One(Key<'e>),
    /// The values of several keys.
    Many(Vec<Key<'e>>),
}

impl<'e> KeyTuple<'e> {
    fn digest(&self) -> u64 {
        match self {
            Self::One(key) => key.digest(),
            Self::Many(keys) => keys.iter().fold(0, |digest, key| {
                digest::digest_u64(digest.rotate_left(1) ^ key.digest())
            }),
        }
    }

    /// Returns the key tuple of an element, given a function that returns the value of a key.
    /// Returns `None` if a value is missing.
    pub fn of_element<K>(keys: &'e [K], value: impl Fn(&'e K) -> Option<Key<'e>>) -> Option<Self> {
        match keys {
            [key] => value(key).map(Self::One),
            keys => keys
                .iter()
                .map(value)
                .collect::<Option<_>>()
                .map(Self::Many),
        }
    }
}

/// The keys of a list without keys.
pub struct Unkeyed;

impl<T> ElementKeys<T> for Unkeyed {
    fn has_keys(&self) -> bool {
        false
    }

    fn key_tuple<'e>(&'e self, _: &'e T) -> Option<KeyTuple<'e>> {
        None
    }
}

/// A cache of the indexes of old lists, for one walk. If several new elements have the same keys,
/// all are correlated with the same old element, so the lists in this old element are looked up
/// several times.
///
/// The lists are borrowed for `'v`, so no list can change or be freed while its index exists.
#[derive(Debug, Default)]
pub struct IndexCache<'v> {
    /// `None` before the first index, because most walks need no index, and an empty map is not
    /// free.
    indexes: RefCell<Option<HashMap<ListId, Arc<FirstPositions>>>>,
    /// Borrows the lists as long as the indexes exist.
    borrowed_lists: PhantomData<Cell<&'v ()>>,
}

/// The address of a list's first element, and the number of lists that contain the list. An element
/// may begin with a list at the address of the element, so the address alone is not unique.
type ListId = (usize, usize);

impl<'v> IndexCache<'v> {
    fn get_or_create<T>(
        &self,
        list: &'v [T],
        nesting: usize,
        create: impl FnOnce() -> FirstPositions,
    ) -> Arc<FirstPositions> {
        let list_id = (list.as_ptr().addr(), nesting);
        let mut indexes = self.indexes.borrow_mut();
        let indexes = indexes.get_or_insert_default();
        Arc::clone(indexes.entry(list_id).or_insert_with(|| Arc::new(create())))
    }
}

/// The position of the first element with each key tuple.
#[derive(Debug)]
enum FirstPositions {
    /// The positions by digest, if different key tuples have different digests. The flag is true if
    /// no two elements have the same key tuple.
    ByDigest(HashIndex, bool),
    /// The positions by keyed hash, for all other lists.
    ByHash(KeyedHashIndex),
}

impl FirstPositions {
    fn new<T>(list: &[T], keys: &impl ElementKeys<T>) -> Self {
        let mut keyed_count = 0;
        let digests = list.iter().enumerate().filter_map(|(position, element)| {
            let tuple = keys.key_tuple(element)?;
            keyed_count += 1;
            Some((position, tuple.digest()))
        });
        let tuple_at = |position: usize| keys.key_tuple(list.get(position)?);
        let index = HashIndex::build(list.len(), digests, |one, other| {
            tuple_at(one) == tuple_at(other)
        });
        match index {
            Some(index) => {
                let has_unique_keys = index.len() == keyed_count;
                Self::ByDigest(index, has_unique_keys)
            }
            None => Self::ByHash(KeyedHashIndex::new(list, keys)),
        }
    }

    fn has_unique_keys(&self) -> bool {
        matches!(self, Self::ByDigest(_, true))
    }

    fn find<T>(
        &self,
        tuple: &KeyTuple<'_>,
        list: &[T],
        keys: &impl ElementKeys<T>,
    ) -> Option<usize> {
        match self {
            Self::ByDigest(index, _) => index.find(tuple.digest(), |position| {
                let element = list.get(position);
                element.and_then(|element| keys.key_tuple(element)).as_ref() == Some(tuple)
            }),
            Self::ByHash(index) => index.find(tuple, list, keys).ok(),
        }
    }
}

/// The position of each key tuple by a keyed hash, whose collisions an attacker cannot predict. If
/// two tuples have the same hash, the second tuple is stored under the next free hash (linear
/// probing).
#[derive(Debug)]
struct KeyedHashIndex {
    hasher: RandomState,
    positions: HashMap<u64, usize>,
}

impl KeyedHashIndex {
    fn new<T>(list: &[T], keys: &impl ElementKeys<T>) -> Self {
        let mut index = Self {
            hasher: RandomState::new(),
            positions: HashMap::with_capacity(list.len()),
        };
        for (position, element) in list.iter().enumerate() {
            if let Some(tuple) = keys.key_tuple(element)
                && let Err(hash) = index.find(&tuple, list, keys)
            {
                index.positions.insert(hash, position);
            }
        }
        index
    }

    /// Returns the position of the element with a key tuple, or as an error the free hash under
    /// which the tuple can be stored.
    fn find<T>(
        &self,
        tuple: &KeyTuple<'_>,
        list: &[T],
        keys: &impl ElementKeys<T>,
    ) -> Result<usize, u64> {
        let mut hash = self.hasher.hash_one(tuple);
        while let Some(position) = self.positions.get(&hash)
            && let Some(element) = list.get(*position)
        {
            if keys.key_tuple(element).as_ref() == Some(tuple) {
                return Ok(*position);
            }
            hash = hash.wrapping_add(1);
        }
        Err(hash)
    }
}

/// An index of the old elements of a list by their keys. As on an API server, a lookup returns the
/// first of several elements with the same keys. The first lookup creates the index.
pub struct OldElementIndex<'i, 'v, T, K> {
    keys: K,
    old_elements: &'v [T],
    indexes: &'i IndexCache<'v>,
    /// The number of lists that contain this list.
    nesting: usize,
    positions: Option<Arc<FirstPositions>>,
    /// The position after the element that was looked up last.
    next_position: usize,
}

impl<'i, 'v, T, K: ElementKeys<T>> OldElementIndex<'i, 'v, T, K> {
    /// Creates the lookup of a list's elements by `keys`. `indexes` keeps the index, and `nesting`
    /// is the number of lists that contain the list.
    pub fn new(old: Option<&'v [T]>, keys: K, indexes: &'i IndexCache<'v>, nesting: usize) -> Self {
        Self {
            keys,
            old_elements: old.unwrap_or_default(),
            indexes,
            nesting,
            positions: None,
            next_position: 0,
        }
    }

    /// Returns true if the list has keys.
    #[must_use]
    pub fn has_keys(&self) -> bool {
        self.keys.has_keys()
    }

    /// Returns the old element that a new element is correlated with, and its position.
    pub fn find(&mut self, new: &T) -> Option<(usize, &'v T)> {
        let Self {
            keys,
            old_elements,
            indexes,
            nesting,
            positions,
            next_position,
        } = self;
        let old_elements: &'v [T] = old_elements;
        if old_elements.is_empty() || !keys.has_keys() {
            return None;
        }
        let tuple = keys.key_tuple(new)?;
        let positions = positions.get_or_insert_with(|| {
            indexes.get_or_create(old_elements, *nesting, || {
                FirstPositions::new(old_elements, keys)
            })
        });
        // Fast path: elements are usually looked up in order.
        let next_element = old_elements
            .get(*next_position)
            .filter(|_| positions.has_unique_keys());
        let next_tuple = next_element.and_then(|element| keys.key_tuple(element));
        let position = if next_tuple.is_some_and(|next_tuple| next_tuple == tuple) {
            *next_position
        } else {
            positions.find(&tuple, old_elements, keys)?
        };
        *next_position = position + 1;
        Some((position, old_elements.get(position)?))
    }
}

#[cfg(test)]
mod tests {
    use super::{ElementKeys, IndexCache, KeyTuple, OldElementIndex};
    use crate::value::digest::tests::strings_with_equal_digests;
    use crate::value::key::Key;

    struct Port<'n> {
        name: &'n str,
    }

    /// An element whose list `ports` begins at the address of the element, because it is the first
    /// field in memory.
    struct Container {
        ports: [Port<'static>; 2],
        name: &'static str,
    }

    struct Names;

    impl ElementKeys<Port<'_>> for Names {
        fn has_keys(&self) -> bool {
            true
        }

        fn key_tuple<'e>(&'e self, port: &'e Port<'_>) -> Option<KeyTuple<'e>> {
            Some(KeyTuple::One(Key::Str(port.name)))
        }
    }

    impl ElementKeys<Container> for Names {
        fn has_keys(&self) -> bool {
            true
        }

        fn key_tuple<'e>(&'e self, container: &'e Container) -> Option<KeyTuple<'e>> {
            Some(KeyTuple::One(Key::Str(container.name)))
        }
    }

    #[test]
    fn lists_at_the_same_address_have_different_indexes() {
        let ports = ["http", "metrics"].map(|name| Port { name });
        let list = [Container { ports, name: "web" }];
        let [container] = &list;
        assert_eq!(
            list.as_ptr().addr(),
            container.ports.as_ptr().addr(),
            "otherwise the addresses do not collide"
        );
        let indexes = IndexCache::default();
        let mut containers = OldElementIndex::new(Some(&list[..]), Names, &indexes, 0);
        assert!(containers.find(container).is_some());
        let mut ports = OldElementIndex::new(Some(&container.ports[..]), Names, &indexes, 1);
        let found = ports.find(&Port { name: "metrics" });
        assert_eq!(found.map(|(position, _)| position), Some(1));
    }

    /// Lists with and without duplicate keys, with elements without a key, and a list of different
    /// keys with the same digest: lookups in any order find the first element with a key.
    #[test]
    fn the_first_element_with_a_key_is_found() {
        let colliding: Vec<String> = strings_with_equal_digests().take(300).collect();
        let mut lists: Vec<Vec<&str>> = vec![
            vec![],
            vec!["a"],
            vec!["a", "b", "c", "d"],
            vec!["d", "a", "d", "", "c", "a"],
            vec!["", "", "a"],
            vec!["b", "", "a", "c"],
        ];
        lists.push(colliding.iter().map(String::as_str).collect());
        for names in lists {
            let ports: Vec<Port<'_>> = names.iter().map(|name| Port { name }).collect();
            let indexes = IndexCache::default();
            let mut index = OldElementIndex::new(Some(&ports[..]), NonEmptyNames, &indexes, 0);
            let reversed = names.iter().rev();
            let lookups = names.iter().chain(&["a", "x"]).chain(reversed);
            for name in lookups {
                let first_position = names.iter().position(|other| other == name);
                let first_position = first_position.filter(|_| !name.is_empty());
                let found = index.find(&Port { name });
                assert_eq!(
                    found.map(|(position, _)| position),
                    first_position,
                    "{name:?} in {names:?}"
                );
            }
        }
    }

    /// The keys of `Names`, but an empty name counts as a missing key.
    struct NonEmptyNames;

    impl ElementKeys<Port<'_>> for NonEmptyNames {
        fn has_keys(&self) -> bool {
            true
        }

        fn key_tuple<'e>(&'e self, port: &'e Port<'_>) -> Option<KeyTuple<'e>> {
            (!port.name.is_empty()).then_some(KeyTuple::One(Key::Str(port.name)))
        }
    }
}
