//! Receivers of errors during validation.

use core::ops::ControlFlow;

use super::dedup_errors::dedup_errors;
use union_runtime::Violation;

/// A receiver of errors.
pub(in crate::validate) trait ErrorSink {
    /// True if the receiver collects the errors; false if it only needs to know if there are any.
    const COLLECTS: bool;

    /// True if the values inside a value are checked too.
    const DESCENDS: bool;

    /// Returns the number of required fields that an object is known to have.
    fn known_required_fields(&self) -> usize {
        0
    }

    /// Receives an error. Breaks if the walk may stop.
    fn report(&mut self, make: impl FnOnce() -> Violation) -> ControlFlow<()>;

    /// Returns the number of errors so far.
    fn len(&self) -> usize;

    /// Tolerates the errors from index `from` on, because their value is unchanged.
    fn tolerate(&mut self, from: usize);

    /// Marks the errors from index `from` on as never tolerated.
    fn exempt(&mut self, from: usize);
}

/// A receiver that stops at the first error, and does not construct it.
pub(in crate::validate) struct StopAtFirst;

impl ErrorSink for StopAtFirst {
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

/// A receiver that stops at the first error of a value itself. The values inside it are not
/// checked. An object is known to have `required` of its required fields.
pub(in crate::validate) struct StopAtFirstOwn {
    pub(in crate::validate) required: usize,
}

impl ErrorSink for StopAtFirstOwn {
    const COLLECTS: bool = StopAtFirst::COLLECTS;
    const DESCENDS: bool = false;

    fn known_required_fields(&self) -> usize {
        self.required
    }

    fn report(&mut self, make: impl FnOnce() -> Violation) -> ControlFlow<()> {
        StopAtFirst.report(make)
    }

    fn len(&self) -> usize {
        StopAtFirst.len()
    }

    fn tolerate(&mut self, from: usize) {
        StopAtFirst.tolerate(from);
    }

    fn exempt(&mut self, from: usize) {
        StopAtFirst.exempt(from);
    }
}

/// A receiver that collects all errors.
#[derive(Default)]
pub(crate) struct CollectAll {
    found: Vec<CollectedError>,
    pub(crate) ratcheted: Vec<Violation>,
}

/// An error, before ratcheting.
struct CollectedError {
    violation: Violation,
    /// True if the error is never tolerated.
    is_exempt: bool,
}

impl CollectAll {
    /// Returns the errors and the tolerated errors. Repeated messages are removed, as a server does
    /// it. Errors with a repeated message at another path are added to `repeated`.
    pub(crate) fn into_parts(
        self,
        repeated: &mut Vec<Violation>,
    ) -> (Vec<Violation>, Vec<Violation>) {
        let found = self.found.into_iter().map(|error| error.violation);
        (
            dedup_errors(found.collect(), repeated),
            dedup_errors(self.ratcheted, &mut Vec::new()),
        )
    }
}

impl ErrorSink for CollectAll {
    const COLLECTS: bool = true;
    const DESCENDS: bool = true;

    fn report(&mut self, make: impl FnOnce() -> Violation) -> ControlFlow<()> {
        self.found.push(CollectedError {
            violation: make(),
            is_exempt: false,
        });
        ControlFlow::Continue(())
    }

    fn len(&self) -> usize {
        self.found.len()
    }

    fn tolerate(&mut self, from: usize) {
        let tolerated = self.found.extract_if(from.., |error| !error.is_exempt);
        self.ratcheted
            .extend(tolerated.map(|error| error.violation));
    }

    fn exempt(&mut self, from: usize) {
        for error in self.found.iter_mut().skip(from) {
            error.is_exempt = true;
        }
    }
}
