//! Receivers of errors during validation.

use core::ops::ControlFlow;

use super::repeats::without_repeats;
use union_runtime::Violation;

/// A receiver of errors.
pub(in crate::validate) trait Sink {
    /// True if the receiver collects the errors; false if it only needs to know if there are any.
    const COLLECTS: bool;

    /// True if the values inside a value are checked too.
    const GOES_DOWN: bool;

    /// Returns the number of required fields that an object is known to have.
    fn required(&self) -> usize {
        0
    }

    /// Receives an error. Breaks if the walk may stop.
    fn report(&mut self, make: impl FnOnce() -> Violation) -> ControlFlow<()>;

    /// Returns the number of errors so far.
    fn len(&self) -> usize;

    /// Tolerates the errors from index `from` on, because their value is unchanged.
    fn tolerate(&mut self, from: usize);

    /// Marks the errors from index `from` on as never tolerated.
    fn keep(&mut self, from: usize);
}

/// A receiver that stops at the first error, and does not construct it.
pub(in crate::validate) struct First;

impl Sink for First {
    const COLLECTS: bool = false;
    const GOES_DOWN: bool = true;

    fn report(&mut self, _: impl FnOnce() -> Violation) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn len(&self) -> usize {
        0
    }

    fn tolerate(&mut self, _: usize) {}

    fn keep(&mut self, _: usize) {}
}

/// A receiver that stops at the first error of a value itself. The values inside it are not
/// checked. An object is known to have `required` of its required fields.
pub(in crate::validate) struct FirstOfItself {
    pub(in crate::validate) required: usize,
}

impl Sink for FirstOfItself {
    const COLLECTS: bool = First::COLLECTS;
    const GOES_DOWN: bool = false;

    fn required(&self) -> usize {
        self.required
    }

    fn report(&mut self, make: impl FnOnce() -> Violation) -> ControlFlow<()> {
        First.report(make)
    }

    fn len(&self) -> usize {
        First.len()
    }

    fn tolerate(&mut self, from: usize) {
        First.tolerate(from);
    }

    fn keep(&mut self, from: usize) {
        First.keep(from);
    }
}

/// A receiver that collects all errors.
#[derive(Default)]
pub(crate) struct All {
    found: Vec<FoundError>,
    pub(crate) ratcheted: Vec<Violation>,
}

/// An error, before ratcheting.
struct FoundError {
    violation: Violation,
    /// True if the error is never tolerated.
    is_kept: bool,
}

impl All {
    /// Returns the errors and the tolerated errors. Repeated messages are removed, as a server does
    /// it. Errors with a repeated message at another path are added to `repeated`.
    pub(crate) fn into_parts(
        self,
        repeated: &mut Vec<Violation>,
    ) -> (Vec<Violation>, Vec<Violation>) {
        let found = self.found.into_iter().map(|error| error.violation);
        (
            without_repeats(found.collect(), repeated),
            without_repeats(self.ratcheted, &mut Vec::new()),
        )
    }
}

impl Sink for All {
    const COLLECTS: bool = true;
    const GOES_DOWN: bool = true;

    fn report(&mut self, make: impl FnOnce() -> Violation) -> ControlFlow<()> {
        self.found.push(FoundError {
            violation: make(),
            is_kept: false,
        });
        ControlFlow::Continue(())
    }

    fn len(&self) -> usize {
        self.found.len()
    }

    fn tolerate(&mut self, from: usize) {
        let tolerated = self.found.extract_if(from.., |error| !error.is_kept);
        self.ratcheted
            .extend(tolerated.map(|error| error.violation));
    }

    fn keep(&mut self, from: usize) {
        for error in self.found.iter_mut().skip(from) {
            error.is_kept = true;
        }
    }
}
