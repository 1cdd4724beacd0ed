//! Receivers of errors during validation.

use core::ops::ControlFlow;

use super::dedup_errors::dedup_errors;
use union_runtime::Violation;

/// A receiver of errors.
pub(in crate::validate) trait ErrorSink {
    /// True if the receiver collects the errors. False if the receiver stops at the first error.
    const COLLECTS: bool;

    /// True if the values inside a value are checked too.
    const DESCENDS: bool;

    /// Returns the number of required fields that an object is known to have.
    fn known_required_fields(&self) -> usize {
        0
    }

    /// Receives an error. Breaks if the walk may stop.
    fn report(&mut self, build_violation: impl FnOnce() -> Violation) -> ControlFlow<()>;

    /// Returns the number of errors so far.
    fn len(&self) -> usize;

    /// Tolerates the errors from index `start` on, because their value is unchanged.
    fn tolerate(&mut self, start: usize);

    /// Marks the errors from index `start` on as never tolerated.
    fn exempt(&mut self, start: usize);
}

/// A receiver that stops at the first error, and does not construct it.
pub(in crate::validate) struct StopAtFirstError;

impl ErrorSink for StopAtFirstError {
    const COLLECTS: bool = false;
    const DESCENDS: bool = true;

    fn report(&mut self, _: impl FnOnce() -> Violation) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn len(&self) -> usize {
        0
    }

    fn tolerate(&mut self, _: usize) {}

    fn exempt(&mut self, _: usize) {}
}

/// A receiver that stops at the first error of a value, without a check of the values inside the
/// value.
pub(in crate::validate) struct StopAtFirstOwnError {
    /// The number of required fields that an object is known to have.
    pub(in crate::validate) required_count: usize,
}

impl ErrorSink for StopAtFirstOwnError {
    const COLLECTS: bool = StopAtFirstError::COLLECTS;
    const DESCENDS: bool = false;

    fn known_required_fields(&self) -> usize {
        self.required_count
    }

    fn report(&mut self, build_violation: impl FnOnce() -> Violation) -> ControlFlow<()> {
        StopAtFirstError.report(build_violation)
    }

    fn len(&self) -> usize {
        StopAtFirstError.len()
    }

    fn tolerate(&mut self, start: usize) {
        StopAtFirstError.tolerate(start);
    }

    fn exempt(&mut self, start: usize) {
        StopAtFirstError.exempt(start);
    }
}

/// A receiver that collects all errors.
#[derive(Default)]
pub(crate) struct CollectAll {
    errors: Vec<CollectedError>,
    pub(crate) ratcheted: Vec<Violation>,
}

/// An error, before ratcheting.
struct CollectedError {
    violation: Violation,
    /// True if the error is never tolerated.
    is_exempt: bool,
}

impl CollectAll {
    /// Returns the errors and the tolerated errors, each without repeated messages, as a server
    /// reports them. Errors with a repeated message at another path are added to `repeated`.
    pub(crate) fn into_parts(
        self,
        repeated: &mut Vec<Violation>,
    ) -> (Vec<Violation>, Vec<Violation>) {
        let errors = self.errors.into_iter().map(|error| error.violation);
        (
            dedup_errors(errors.collect(), repeated),
            dedup_errors(self.ratcheted, &mut Vec::new()),
        )
    }
}

impl ErrorSink for CollectAll {
    const COLLECTS: bool = true;
    const DESCENDS: bool = true;

    fn report(&mut self, build_violation: impl FnOnce() -> Violation) -> ControlFlow<()> {
        self.errors.push(CollectedError {
            violation: build_violation(),
            is_exempt: false,
        });
        ControlFlow::Continue(())
    }

    fn len(&self) -> usize {
        self.errors.len()
    }

    fn tolerate(&mut self, start: usize) {
        let tolerated = self.errors.extract_if(start.., |error| !error.is_exempt);
        self.ratcheted
            .extend(tolerated.map(|error| error.violation));
    }

    fn exempt(&mut self, start: usize) {
        for error in self.errors.iter_mut().skip(start) {
            error.is_exempt = true;
        }
    }
}
