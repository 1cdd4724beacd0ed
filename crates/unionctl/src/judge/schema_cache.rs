//! A cache of recently compiled schemas.

use std::rc::Rc;

/// The maximum number of schemas in the cache.
const MAX_ENTRIES: usize = 64;

/// A compiled schema, or the error in its source.
pub(crate) type CompiledSchema<T> = Rc<Result<T, String>>;

/// A cache of compiled schemas `T`, by source and compiler settings `S`. The least recently used
/// schema is removed first.
pub(crate) struct SchemaCache<T, S = ()> {
    /// The entries, in the order of their last use.
    entries: Vec<CacheEntry<T, S>>,
}

struct CacheEntry<T, S> {
    source: String,
    settings: S,
    schema: CompiledSchema<T>,
}

impl<T, S> Default for SchemaCache<T, S> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<T, S: PartialEq> SchemaCache<T, S> {
    /// Returns the schema with this source and these settings, and compiles it if it is not in the
    /// cache.
    pub(crate) fn get<E>(
        &mut self,
        source: &str,
        settings: S,
        compile: impl FnOnce() -> Result<Result<T, String>, E>,
    ) -> Result<CompiledSchema<T>, E> {
        let has_same_key =
            |entry: &CacheEntry<T, S>| entry.settings == settings && entry.source == source;
        let entry = match self.entries.iter().rposition(has_same_key) {
            Some(index) => self.entries.remove(index),
            None => CacheEntry {
                source: source.to_owned(),
                settings,
                schema: Rc::new(compile()?),
            },
        };
        let schema = Rc::clone(&entry.schema);
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.remove(0);
        }
        self.entries.push(entry);
        Ok(schema)
    }
}
