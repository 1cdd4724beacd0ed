//! Collects errors, so that one expansion reports all mistakes.

use std::cell::{Cell, RefCell};
use std::fmt::Display;

use proc_macro2::Span;

/// The reported errors, in the order of the reports.
#[derive(Default)]
pub(crate) struct Errors {
    errors: RefCell<Option<syn::Error>>,
    count: Cell<usize>,
}

impl Errors {
    /// Reports an error with this message at the span.
    pub(crate) fn error(&self, span: Span, message: impl Display) {
        self.add(syn::Error::new(span, message));
    }

    pub(crate) fn add(&self, error: syn::Error) {
        self.count.set(self.count.get() + 1);
        let mut errors = self.errors.borrow_mut();
        match errors.as_mut() {
            Some(errors) => errors.combine(error),
            None => *errors = Some(error),
        }
    }

    /// Returns the number of reported errors. If the number has changed after a step, the step has
    /// reported an error, and the caller omits errors that follow from that error.
    pub(crate) fn count(&self) -> usize {
        self.count.get()
    }

    /// Returns an error that combines all reported errors, if there are any.
    pub(crate) fn finish(self) -> Result<(), syn::Error> {
        self.errors.into_inner().map_or(Ok(()), Err)
    }
}
