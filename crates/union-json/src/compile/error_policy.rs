//! The handling of errors in a schema, which depends on the mode of the compiler.

use core::cell::RefCell;
use std::collections::HashSet;

use crate::error::SchemaError;

/// A receiver of errors. Either the first error is returned, or all errors are kept and the invalid
/// parts of the schema are skipped.
#[derive(Default)]
pub(crate) struct ErrorPolicy {
    collected: Option<RefCell<Vec<SchemaError>>>,
}

impl ErrorPolicy {
    /// Returns a receiver that keeps all errors.
    pub(crate) fn collecting() -> Self {
        Self {
            collected: Some(RefCell::default()),
        }
    }

    /// Keeps an error, if the receiver keeps errors.
    ///
    /// # Errors
    ///
    /// Returns the error itself if the receiver does not keep errors.
    pub(crate) fn handle(&self, problem: SchemaError) -> Result<(), SchemaError> {
        match &self.collected {
            Some(kept) => {
                kept.borrow_mut().push(problem);
                Ok(())
            }
            None => Err(problem),
        }
    }

    /// Returns the value, or the default value if the result is an error that the receiver keeps.
    pub(crate) fn or_default<T: Default>(
        &self,
        found: Result<T, SchemaError>,
    ) -> Result<T, SchemaError> {
        found.or_else(|problem| self.handle(problem).map(|()| T::default()))
    }

    /// Returns the kept errors without duplicates. Duplicates occur if a schema is used at several
    /// places.
    pub(crate) fn into_errors(self) -> Vec<SchemaError> {
        let mut list = self.collected.map(RefCell::into_inner).unwrap_or_default();
        let mut seen = HashSet::new();
        list.retain(|problem| seen.insert(problem.to_string()));
        list
    }
}
