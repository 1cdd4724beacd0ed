//! Collects errors, so that several mistakes are all reported in one run.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::Span;

/// The errors so far, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Diag {
    errors: RefCell<Option<syn::Error>>,
}

impl Diag {
    pub(crate) fn error(&self, span: Span, message: impl Display) {
        self.add(syn::Error::new(span, message));
    }

    pub(crate) fn add(&self, error: syn::Error) {
        let mut errors = self.errors.borrow_mut();
        match errors.as_mut() {
            Some(errors) => errors.combine(error),
            None => *errors = Some(error),
        }
    }

    pub(crate) fn finish(self) -> Result<(), syn::Error> {
        self.errors.into_inner().map_or(Ok(()), Err)
    }
}
