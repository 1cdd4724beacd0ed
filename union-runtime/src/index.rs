//! Finds the old elements of a list by their keys.

use std::collections::HashMap;
use std::rc::Rc;

use crate::list_map::Key;

/// Tells the keys of an element.
pub(crate) trait Keys<T> {
    /// Whether there are any.
    fn are_any(&self) -> bool;

    /// The values of the keys, in order; `None` if one of them is absent.
    fn tuple<'e>(&'e self, element: &'e T) -> Option<Vec<Key<'e>>>;
}

/// Those of a list that has none.
pub(crate) struct NoKeys;

impl<T> Keys<T> for NoKeys {
    fn are_any(&self) -> bool {
        false
    }

    fn tuple<'e>(&'e self, _: &'e T) -> Option<Vec<Key<'e>>> {
        None
    }
}

/// The numbers of the elements of a list, by their keys.
pub(crate) type ByKey<'a> = Rc<HashMap<Vec<Key<'a>>, usize>>;

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

    pub(crate) fn has_keys(&self) -> bool {
        self.keys.are_any()
    }

    /// The old element for a new one, and its position.
    pub(crate) fn find(&mut self, new: &T) -> Option<(usize, &'a T)> {
        let (keys, old) = (self.keys, self.old);
        if old.is_empty() || !keys.are_any() {
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
        let tuple = keys.tuple(new)?;
        let found = *by_key.get(tuple.as_slice())?;
        Some((found, old.get(found)?))
    }
}
