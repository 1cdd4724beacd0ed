//! The handling of errors in a schema.

use core::cell::RefCell;
use std::collections::HashSet;

use crate::error::SchemaError;

/// A receiver of errors: either the first error ends the reading, or all errors are kept and the
/// invalid parts are left out.
#[derive(Default)]
pub(crate) struct Problems {
    kept: Option<RefCell<Vec<SchemaError>>>,
}

impl Problems {
    /// Returns a receiver that keeps all errors.
    pub(crate) fn kept() -> Self {
        Self {
            kept: Some(RefCell::default()),
        }
    }

    /// Keeps an error, if errors are kept.
    ///
    /// # Errors
    ///
    /// Returns the error itself if errors are not kept.
    pub(crate) fn take(&self, problem: SchemaError) -> Result<(), SchemaError> {
        match &self.kept {
            Some(kept) => {
                kept.borrow_mut().push(problem);
                Ok(())
            }
            None => Err(problem),
        }
    }

    /// Returns the value, or the default value if there is an error that is kept.
    pub(crate) fn or_default<T: Default>(
        &self,
        found: Result<T, SchemaError>,
    ) -> Result<T, SchemaError> {
        found.or_else(|problem| self.take(problem).map(|()| T::default()))
    }

    /// Returns the kept errors, each once: a schema with several references is read at several
    /// places.
    pub(crate) fn into_list(self) -> Vec<SchemaError> {
        let mut list = self.kept.map(RefCell::into_inner).unwrap_or_default();
        let mut seen = HashSet::new();
        list.retain(|problem| seen.insert(problem.to_string()));
        list
    }
}
