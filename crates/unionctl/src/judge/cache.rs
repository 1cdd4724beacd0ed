//! Schemas that were compiled lately.

use std::rc::Rc;

/// How many are kept.
const MOST: usize = 64;

/// A schema, or why there is none.
pub(crate) type Compiled<T> = Rc<Result<T, String>>;

/// Those that were asked for last, by their text and what they were compiled with: a program often asks about the same
/// ones.
pub(crate) struct Cache<T, W = ()> {
    /// The one that was asked for last comes last.
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
    /// The schema of that text, which is compiled if it is not there.
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
