//! Schemas that were compiled lately.

use std::rc::Rc;

use union_runtime::crd::StructuralSchema;

/// How many are kept.
const MOST: usize = 64;

/// A schema, or why there is none.
pub(super) type Compiled = Rc<Result<StructuralSchema, String>>;

/// Those that were asked for last, by their text: a program often asks about the same ones.
#[derive(Default)]
pub(super) struct Cache {
    /// The one that was asked for last comes last.
    entries: Vec<Entry>,
}

struct Entry {
    schema: String,
    has_status: bool,
    compiled: Compiled,
}

impl Cache {
    /// The schema of that text, which is compiled if it is not there.
    pub(super) fn get<E>(
        &mut self,
        schema: &str,
        has_status: bool,
        compile: impl FnOnce() -> Result<Result<StructuralSchema, String>, E>,
    ) -> Result<Compiled, E> {
        let is_it = |entry: &Entry| entry.has_status == has_status && entry.schema == schema;
        let entry = match self.entries.iter().rposition(is_it) {
            Some(at) => self.entries.remove(at),
            None => Entry {
                schema: schema.to_owned(),
                has_status,
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
