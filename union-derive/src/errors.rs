//! Collects errors, so that one expansion reports all mistakes.

use std::cell::{Cell, RefCell};
use std::fmt::Display;

use proc_macro2::Span;

/// The errors so far, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Errors {
    errors: RefCell<Option<syn::Error>>,
    count: Cell<usize>,
}

impl Errors {
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

    /// Returns the number of errors so far. If the number has changed after a step, the step has
    /// reported an error. The caller then omits the errors that follow from it.
    pub(crate) fn count(&self) -> usize {
        self.count.get()
    }

    pub(crate) fn finish(self) -> Result<(), syn::Error> {
        self.errors.into_inner().map_or(Ok(()), Err)
    }
}
