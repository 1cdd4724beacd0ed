//! A cache of recently compiled schemas.

use std::rc::Rc;

/// The maximum number of schemas in the cache.
const MAX_ENTRIES: usize = 64;

/// A compiled schema, or the error in its source.
pub(crate) type CompiledSchema<T> = Rc<Result<T, String>>;

/// A cache of compiled schemas, by source and compiler settings, because programs often send the
/// same schemas. The least recently used schema is removed first.
pub(crate) struct SchemaCache<T, W = ()> {
    /// The entries, in the order of their last use.
    entries: Vec<CacheEntry<T, W>>,
}

struct CacheEntry<T, W> {
    schema: String,
    settings: W,
    compiled: CompiledSchema<T>,
}

impl<T, W> Default for SchemaCache<T, W> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<T, W: PartialEq> SchemaCache<T, W> {
    /// Returns the schema with this source and these settings, and compiles it if it is not in the
    /// cache.
    pub(crate) fn get<E>(
        &mut self,
        schema: &str,
        settings: W,
        compile: impl FnOnce() -> Result<Result<T, String>, E>,
    ) -> Result<CompiledSchema<T>, E> {
        let is_match =
            |entry: &CacheEntry<T, W>| entry.settings == settings && entry.schema == schema;
        let entry = match self.entries.iter().rposition(is_match) {
            Some(index) => self.entries.remove(index),
            None => CacheEntry {
                schema: schema.to_owned(),
                settings,
                compiled: Rc::new(compile()?),
            },
        };
        let compiled = Rc::clone(&entry.compiled);
        if self.entries.len() >= MAX_ENTRIES {
            self.entries.remove(0);
        }
        self.entries.push(entry);
        Ok(compiled)
    }
}
