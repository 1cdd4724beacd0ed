//! A cache of the schemas that were compiled last.

use std::rc::Rc;

/// The greatest number of schemas.
const MOST: usize = 64;

/// A compiled schema, or the problem that prevents its compilation.
pub(crate) type Compiled<T> = Rc<Result<T, String>>;

/// The schemas that were requested last, by their source and the settings of their compiler: a
/// program often sends the same schemas.
pub(crate) struct Cache<T, W = ()> {
    /// The entries, ordered by their last request; the latest is last.
    entries: Vec<Entry<T, W>>,
}

struct Entry<T, W> {
    schema: String,
    with: W,
    compiled: Compiled<T>,
}

impl<T, W> Default for Cache<T, W> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<T, W: PartialEq> Cache<T, W> {
    /// Returns the schema with this source, which is compiled if it is not in the cache.
    pub(crate) fn get<E>(
        &mut self,
        schema: &str,
        with: W,
        compile: impl FnOnce() -> Result<Result<T, String>, E>,
    ) -> Result<Compiled<T>, E> {
        let is_it = |entry: &Entry<T, W>| entry.with == with && entry.schema == schema;
        let entry = match self.entries.iter().rposition(is_it) {
            Some(at) => self.entries.remove(at),
            None => Entry {
                schema: schema.to_owned(),
                with,
                compiled: Rc::new(compile()?),
            },
        };
        let compiled = Rc::clone(&entry.compiled);
        if self.entries.len() >= MOST {
            self.entries.remove(0);
        }
        self.entries.push(entry);
        Ok(compiled)
    }
}
