//! Lookups of the old elements of a list by their keys.

use core::cell::{Cell, RefCell};
use core::hash::BuildHasher as _;
use core::marker::PhantomData;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::sync::Arc;

use crate::value::digest::{self, HashIndex};
use crate::value::key::Key;

/// The keys of list elements. Crates of this workspace implement the trait, so it is not sealed; it
/// is not for users.
pub trait ElementKeys<T> {
    /// Returns true if the list has keys.
    fn has_keys(&self) -> bool;

    /// Returns the values of the keys, in order; `None` if one of them is absent.
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

/// The values of an element's keys. Nearly all lists have one key, whose value does not need an
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

    /// Returns the values of the keys; `None` if one of them is absent.
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

/// The indexes of the old lists of a walk. All new elements with the same keys are correlated with
/// one old element, whose lists are indexed once.
///
/// The lists are borrowed: no list can change or be freed while its index exists.
#[derive(Debug, Default)]
pub struct IndexCache<'v> {
    made: RefCell<HashMap<ListId, Arc<FirstPositions>>>,
    lists: PhantomData<Cell<&'v ()>>,
}

/// The address of a list's first element, and the number of lists around the list: an element may
/// begin with a list of its own, at the same address.
type ListId = (usize, usize);

impl<'v> IndexCache<'v> {
    fn get_or_create<T>(
        &self,
        list: &'v [T],
        lists: usize,
        make: impl FnOnce() -> FirstPositions,
    ) -> Arc<FirstPositions> {
        let id = (list.as_ptr().addr(), lists);
        let mut indexes = self.made.borrow_mut();
        Arc::clone(indexes.entry(id).or_insert_with(|| Arc::new(make())))
    }
}

/// The positions of the elements of a list by their keys, the first element of each.
#[derive(Debug)]
enum FirstPositions {
    /// Positions by digests that differ for all different keys, and true if no two elements have
    /// the same keys.
    ByDigest(HashIndex, bool),
    ByHash(KeyedHashIndex),
}

impl FirstPositions {
    fn new<T>(list: &[T], keys: &impl ElementKeys<T>) -> Self {
        let mut with_keys = 0;
        let digests = list.iter().enumerate().filter_map(|(position, element)| {
            let tuple = keys.key_tuple(element)?;
            with_keys += 1;
            Some((position, tuple.digest()))
        });
        let tuple = |position: usize| keys.key_tuple(list.get(position)?);
        let digests =
            HashIndex::build(list.len(), digests, |one, other| tuple(one) == tuple(other));
        match digests {
            Some(digests) => {
                let are_unique = digests.len() == with_keys;
                Self::ByDigest(digests, are_unique)
            }
            None => Self::ByHash(KeyedHashIndex::new(list, keys)),
        }
    }

    fn are_unique(&self) -> bool {
        matches!(self, Self::ByDigest(_, true))
    }

    fn find<T>(
        &self,
        tuple: &KeyTuple<'_>,
        list: &[T],
        keys: &impl ElementKeys<T>,
    ) -> Option<usize> {
        match self {
            Self::ByDigest(digests, _) => digests.find(tuple.digest(), |position| {
                let element = list.get(position);
                element.and_then(|element| keys.key_tuple(element)).as_ref() == Some(tuple)
            }),
            Self::ByHash(by_hash) => by_hash.find(tuple, list, keys).ok(),
        }
    }
}

/// The positions by keyed hashes of the keys, whose collisions an attacker cannot predict. Keys
/// with the hash of other keys are stored under the next number.
#[derive(Debug)]
struct KeyedHashIndex {
    hasher: RandomState,
    positions: HashMap<u64, usize>,
}

impl KeyedHashIndex {
    fn new<T>(list: &[T], keys: &impl ElementKeys<T>) -> Self {
        let mut made = Self {
            hasher: RandomState::new(),
            positions: HashMap::with_capacity(list.len()),
        };
        for (position, element) in list.iter().enumerate() {
            if let Some(tuple) = keys.key_tuple(element)
                && let Err(hash) = made.find(&tuple, list, keys)
            {
                made.positions.insert(hash, position);
            }
        }
        made
    }

    /// Returns the position of the element with these keys, or else the number under which to store
    /// the keys.
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

/// The old elements of a list, found by their keys: the first element of each key, as an API server
/// does. The index is created when the first element is looked up.
pub struct OldElementIndex<'i, 'v, T, K> {
    keys: K,
    old: &'v [T],
    indexes: &'i IndexCache<'v>,
    /// The number of lists around the list.
    lists: usize,
    made: Option<Arc<FirstPositions>>,
    /// The position after the element that was found last.
    next: usize,
}

impl<'i, 'v, T, K: ElementKeys<T>> OldElementIndex<'i, 'v, T, K> {
    /// Returns an index of the elements of a list by these keys, which is kept in `indexes`.
    /// `lists` is the number of lists around the list.
    pub fn new(old: Option<&'v [T]>, keys: K, indexes: &'i IndexCache<'v>, lists: usize) -> Self {
        Self {
            keys,
            old: old.unwrap_or_default(),
            indexes,
            lists,
            made: None,
            next: 0,
        }
    }

    /// Returns true if the list has keys.
    #[must_use]
    pub fn has_keys(&self) -> bool {
        self.keys.has_keys()
    }

    /// Returns the old element for a new one, and its position.
    pub fn find(&mut self, new: &T) -> Option<(usize, &'v T)> {
        let Self {
            keys,
            old,
            indexes,
            lists,
            made,
            next,
        } = self;
        let old: &'v [T] = old;
        if old.is_empty() || !keys.has_keys() {
            return None;
        }
        let tuple = keys.key_tuple(new)?;
        let made = made.get_or_insert_with(|| {
            indexes.get_or_create(old, *lists, || FirstPositions::new(old, keys))
        });
        // Fast path: elements are usually looked up in order.
        let ahead = old.get(*next).filter(|_| made.are_unique());
        let ahead = ahead.and_then(|element| keys.key_tuple(element));
        let position = if ahead.is_some_and(|ahead| ahead == tuple) {
            *next
        } else {
            made.find(&tuple, old, keys)?
        };
        *next = position + 1;
        Some((position, old.get(position)?))
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

    /// An element whose `ports` begin at its own address, because they are its first field in
    /// memory.
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
    fn lists_that_begin_at_one_address_are_two() {
        let ports = ["http", "metrics"].map(|name| Port { name });
        let list = [Container { ports, name: "web" }];
        let [container] = &list;
        assert_eq!(
            list.as_ptr().addr(),
            container.ports.as_ptr().addr(),
            "or else this test says nothing"
        );
        let indexes = IndexCache::default();
        let mut containers = OldElementIndex::new(Some(&list[..]), Names, &indexes, 0);
        assert!(containers.find(container).is_some());
        let mut ports = OldElementIndex::new(Some(&container.ports[..]), Names, &indexes, 1);
        let found = ports.find(&Port { name: "metrics" });
        assert_eq!(found.map(|(at, _)| at), Some(1));
    }

    /// Lists with and without duplicate keys, with elements without a key, and a list with
    /// constructed keys of the same digest: the first element with a key is found, in any order of
    /// lookups.
    #[test]
    fn the_first_element_with_a_key_is_found() {
        let alike: Vec<String> = strings_with_equal_digests().take(300).collect();
        let mut lists: Vec<Vec<&str>> = vec![
            vec![],
            vec!["a"],
            vec!["a", "b", "c", "d"],
            vec!["d", "a", "d", "", "c", "a"],
            vec!["", "", "a"],
            vec!["b", "", "a", "c"],
        ];
        lists.push(alike.iter().map(String::as_str).collect());
        for names in lists {
            let ports: Vec<Port<'_>> = names.iter().map(|name| Port { name }).collect();
            let indexes = IndexCache::default();
            let mut index = OldElementIndex::new(Some(&ports[..]), Named, &indexes, 0);
            let backwards = names.iter().rev();
            let asked = names.iter().chain(&["a", "x"]).chain(backwards);
            for name in asked {
                let first = names.iter().position(|other| other == name);
                let first = first.filter(|_| !name.is_empty());
                let found = index.find(&Port { name });
                assert_eq!(found.map(|(at, _)| at), first, "{name:?} in {names:?}");
            }
        }
    }

    /// The keys of `Names`, except that an empty name counts as absent.
    struct Named;

    impl ElementKeys<Port<'_>> for Named {
        fn has_keys(&self) -> bool {
            true
        }

        fn key_tuple<'e>(&'e self, port: &'e Port<'_>) -> Option<KeyTuple<'e>> {
            (!port.name.is_empty()).then_some(KeyTuple::One(Key::Str(port.name)))
        }
    }
}
