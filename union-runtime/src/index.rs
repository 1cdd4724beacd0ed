//! Finds the old elements of a list by their keys.

use std::collections::HashMap;
use std::rc::Rc;

use crate::list_map::Key;
use crate::path::Step;

/// Tells the keys of an element.
pub(crate) trait Keys<T> {
    /// The values of the keys, in order; `None` if one of them is absent.
    fn tuple<'e>(&'e self, element: &'e T) -> Option<Tuple<'e>>;
}

/// The values of an element's keys. Nearly all lists have one, which takes no memory of its own.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Tuple<'e> {
    One(Key<'e>),
    Many(Vec<Key<'e>>),
}

impl<'e> Tuple<'e> {
    /// The values of so many keys; `None` if one of them is absent.
    pub(crate) fn of<K>(keys: &'e [K], value: impl Fn(&'e K) -> Option<Key<'e>>) -> Option<Self> {
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

/// The numbers of the elements of a list, by their keys.
pub(crate) type ByKey<'a> = Rc<HashMap<Tuple<'a>, usize>>;

/// The old elements of a list, found by their keys: the first one of each, as an API server does it. Made only where an
/// element is looked up.
pub(crate) struct Index<'a, T, K> {
    keys: &'a K,
    old: &'a [T],
    by_key: Option<ByKey<'a>>,
}

impl<'a, T, K: Keys<T>> Index<'a, T, K> {
    pub(crate) fn new(old: Option<&'a [T]>, keys: &'a K) -> Self {
        Self {
            keys,
            old: old.unwrap_or_default(),
            by_key: None,
        }
    }

    /// The same, with what was made for the same list before.
    #[cfg(feature = "engine")]
    pub(crate) fn with(mut self, by_key: Option<ByKey<'a>>) -> Self {
        self.by_key = by_key;
        self
    }

    /// What was made of the list, if an element was looked up.
    #[cfg(feature = "engine")]
    pub(crate) fn into_by_key(self) -> Option<ByKey<'a>> {
        self.by_key
    }

    /// The old element for a new one, and its step; without one the step leads nowhere.
    pub(crate) fn correlate(&mut self, new: &T) -> (Option<&'a T>, Step<'static>) {
        match self.find(new) {
            Some((i, old)) => (Some(old), Step::Index(i)),
            None => (None, Step::Index(usize::MAX)),
        }
    }

    fn find(&mut self, new: &T) -> Option<(usize, &'a T)> {
        let (keys, old) = (self.keys, self.old);
        if old.is_empty() {
            return None;
        }
        let by_key = self.by_key.get_or_insert_with(|| {
            let mut by_key = HashMap::with_capacity(old.len());
            for (i, element) in old.iter().enumerate() {
                if let Some(tuple) = keys.tuple(element) {
                    by_key.entry(tuple).or_insert(i);
                }
            }
            Rc::new(by_key)
        });
        // A tuple of the new element lives shorter than those of the old ones.
        let by_key: &HashMap<Tuple<'_>, usize> = by_key;
        let found = *by_key.get(&keys.tuple(new)?)?;
        Some((found, &old[found]))
    }
}
