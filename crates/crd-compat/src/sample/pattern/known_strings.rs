//! A cache of strings.

use std::collections::HashMap;
use std::hash::Hash;

/// The maximum number of entries.
const MAX_ENTRIES: usize = 64;

/// The strings that were created for keys. A comparison creates values of the same schema many
/// times, and parsing a pattern takes longer than creating its strings.
pub(super) struct KnownStrings<K>(HashMap<K, Vec<String>>);

impl<K> Default for KnownStrings<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash> KnownStrings<K> {
    /// Returns the strings of a key, which `create` creates if they are not known.
    pub(super) fn get(&mut self, key: K, create: impl FnOnce(&K) -> Vec<String>) -> Vec<String> {
        if let Some(strings) = self.0.get(&key) {
            return strings.clone();
        }
        if self.0.len() >= MAX_ENTRIES {
            self.0.clear();
        }
        let strings = create(&key);
        self.0.insert(key, strings.clone());
        strings
    }
}
