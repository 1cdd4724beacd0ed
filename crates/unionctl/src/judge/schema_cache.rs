//! A cache of the schemas that were compiled last.

use std::rc::Rc;

/// The greatest number of schemas.
const MAX_ENTRIES: usize = 64;

/// A compiled schema, or the problem that prevents its compilation.
pub(crate) type CompiledSchema<T> = Rc<Result<T, String>>;

/// The schemas that were requested last, by their source and the settings of their compiler: a
/// program often sends the same schemas.
pub(crate) struct SchemaCache<T, W = ()> {
    /// The entries, ordered by their last request; the latest is last.
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
    /// Returns the schema with this source, which is compiled if it is not in the cache.
    pub(crate) fn get<E>(
        &mut self,
        schema: &str,
        with: W,
        compile: impl FnOnce() -> Result<Result<T, String>, E>,
    ) -> Result<CompiledSchema<T>, E> {
        let is_it = |entry: &CacheEntry<T, W>| entry.settings == with && entry.schema == schema;
        let entry = match self.entries.iter().rposition(is_it) {
            Some(at) => self.entries.remove(at),
            None => CacheEntry {
                schema: schema.to_owned(),
                settings: with,
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
