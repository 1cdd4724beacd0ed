//! What is done with errors as they are found.

use core::ops::ControlFlow;

use super::repeats::without_repeats;
use union_runtime::Violation;

/// Takes errors.
pub(in crate::validate) trait Sink {
    /// Whether errors are looked at, and not only that there is one.
    const COLLECTS: bool;

    /// Whether what a value holds is looked at too, and not the value alone.
    const GOES_DOWN: bool;

    /// How many required fields an object is known to have.
    fn required(&self) -> usize {
        0
    }

    /// Takes an error; breaks if no more are wanted.
    fn report(&mut self, make: impl FnOnce() -> Violation) -> ControlFlow<()>;

    /// How many there are.
    fn len(&self) -> usize;

    /// Tolerates those from number `from` on: their value is unchanged.
    fn tolerate(&mut self, from: usize);

    /// Keeps those from number `from` on from being tolerated.
    fn keep(&mut self, from: usize);
}

/// Stops at the first error, which is not even made.
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

/// Stops at the first error of a value itself, whatever it holds. So many of the fields that are required of an object are there.
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

/// Collects all errors.
#[derive(Default)]
pub(crate) struct All {
    found: Vec<FoundError>,
    pub(crate) ratcheted: Vec<Violation>,
}

/// An error that was found.
struct FoundError {
    violation: Violation,
    /// True if the error is never tolerated.
    is_kept: bool,
}

impl All {
    /// The errors, and the tolerated ones. What combinators inside of each other say with the same words is said once, as a
    /// server does it; errors of other places that have the same words become `repeated`.
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
