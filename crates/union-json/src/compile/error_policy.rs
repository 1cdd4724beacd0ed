//! The policy for errors in a schema: return the first error, or collect all errors.

use core::cell::RefCell;
use std::collections::HashSet;

use crate::error::SchemaError;

/// A policy for errors. Strict compilers return the first error. Lenient compilers collect all
/// errors, and skip the invalid parts of the schema.
#[derive(Default)]
pub(crate) struct ErrorPolicy {
    /// The collected errors, or `None` if the first error is returned.
    collected_errors: Option<RefCell<Vec<SchemaError>>>,
}

impl ErrorPolicy {
    /// Creates a policy that collects all errors.
    pub(crate) fn collecting() -> Self {
        Self {
            collected_errors: Some(RefCell::default()),
        }
    }

    /// Collects an error if the policy collects errors.
    ///
    /// # Errors
    ///
    /// Returns the error itself if the policy does not collect errors.
    pub(crate) fn handle(&self, error: SchemaError) -> Result<(), SchemaError> {
        match &self.collected_errors {
            Some(collected_errors) => {
                collected_errors.borrow_mut().push(error);
                Ok(())
            }
            None => Err(error),
        }
    }

    /// Returns the value of a result, or the default value if the result is an error that is
    /// collected.
    pub(crate) fn or_default<T: Default>(
        &self,
        result: Result<T, SchemaError>,
    ) -> Result<T, SchemaError> {
        result.or_else(|error| self.handle(error).map(|()| T::default()))
    }

    /// Returns the collected errors without duplicates. Duplicates occur if several positions use
    /// the same schema.
    pub(crate) fn into_errors(self) -> Vec<SchemaError> {
        let mut errors = self
            .collected_errors
            .map(RefCell::into_inner)
            .unwrap_or_default();
        let mut seen_messages = HashSet::new();
        errors.retain(|error| seen_messages.insert(error.to_string()));
        errors
    }
}
