//! What is done with what is wrong with a schema.

use core::cell::RefCell;
use std::collections::HashSet;

use crate::error::SchemaError;

/// Takes problems: the first one ends the reading; or all are kept, and what they are about is left out.
#[derive(Default)]
pub(crate) struct Problems {
    kept: Option<RefCell<Vec<SchemaError>>>,
}

impl Problems {
    /// Those that are kept.
    pub(crate) fn kept() -> Self {
        Self {
            kept: Some(RefCell::default()),
        }
    }

    /// Keeps a problem, if problems are kept.
    ///
    /// # Errors
    ///
    /// That problem, if they are not.
    pub(crate) fn take(&self, problem: SchemaError) -> Result<(), SchemaError> {
        match &self.kept {
            Some(kept) => {
                kept.borrow_mut().push(problem);
                Ok(())
            }
            None => Err(problem),
        }
    }

    /// What is there, or its default where there is a problem that is kept.
    pub(crate) fn or_default<T: Default>(
        &self,
        found: Result<T, SchemaError>,
    ) -> Result<T, SchemaError> {
        found.or_else(|problem| self.take(problem).map(|()| T::default()))
    }

    /// All of them, each once: a schema that is referred to is read in several places.
    pub(crate) fn into_list(self) -> Vec<SchemaError> {
        let mut list = self.kept.map(RefCell::into_inner).unwrap_or_default();
        let mut seen = HashSet::new();
        list.retain(|problem| seen.insert(problem.to_string()));
        list
    }
}
