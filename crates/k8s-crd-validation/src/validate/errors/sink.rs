//! Receivers of errors during validation.

use core::ops::ControlFlow;

use super::dedup_errors::dedup_errors;
use super::origin::ErrorOrigin;
use crate::schema::NodeId;
use union_runtime::Violation;
use union_runtime::path::{FieldPath, Path};

/// The part of a schema that reports an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ErrorScope {
    /// The schema of the value.
    #[default]
    Value,
    /// A combinator: `allOf`, `anyOf`, `oneOf` or `not`. Values in its branches are not compared
    /// with old values.
    Combinator,
    /// The schema of elements of a list without keys, which are not compared with old elements.
    Elements,
}

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

    /// Receives an error of a keyword. Breaks if the walk may stop.
    fn report(
        &mut self,
        origin: ErrorOrigin,
        build_violation: impl FnOnce() -> Violation,
    ) -> ControlFlow<()>;

    /// Returns the number of errors so far.
    fn len(&self) -> usize;

    /// Tolerates the errors from index `start` on, because their value is unchanged.
    fn tolerate(&mut self, start: usize);

    /// Marks the errors from index `start` on as never tolerated.
    fn exempt(&mut self, start: usize);

    /// Marks the errors from index `start` on as errors of a branch of a combinator.
    fn mark_branch(&mut self, _start: usize) {}

    /// Sets the scope of the errors that follow, and returns the scope before. A scope inside
    /// another scope than [`ErrorScope::Value`] has no effect.
    fn enter(&mut self, _: ErrorScope) -> ErrorScope {
        ErrorScope::Value
    }

    /// Restores a scope that [`enter`](Self::enter) returned.
    fn leave(&mut self, _: ErrorScope) {}

    /// Locates the errors from index `start` on in the value at `path`, unless a value inside this
    /// value has located them. `is_changed` is true if the value differs from its old value.
    fn locate(&mut self, _start: usize, _id: NodeId, _path: &Path<'_>, _is_changed: bool) {}
}

/// A receiver that stops at the first error, and does not construct it.
pub(in crate::validate) struct StopAtFirstError;

impl ErrorSink for StopAtFirstError {
    const COLLECTS: bool = false;
    const DESCENDS: bool = true;

    fn report(&mut self, _: ErrorOrigin, _: impl FnOnce() -> Violation) -> ControlFlow<()> {
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

    fn report(
        &mut self,
        origin: ErrorOrigin,
        build_violation: impl FnOnce() -> Violation,
    ) -> ControlFlow<()> {
        StopAtFirstError.report(origin, build_violation)
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
    ratcheted: Vec<CollectedError>,
    /// True if the errors are located.
    locates: bool,
    scope: ErrorScope,
}

/// An error, before ratcheting.
struct CollectedError {
    violation: Violation,
    origin: ErrorOrigin,
    /// True if the error is never tolerated.
    is_exempt: bool,
    scope: ErrorScope,
    location: Option<Box<ErrorLocation>>,
}

/// The value that has an error.
pub(crate) struct ErrorLocation {
    pub(crate) path: FieldPath,
    /// The outermost schema of the value that reports the error: not a branch of a combinator.
    pub(crate) node: NodeId,
    /// The path of the innermost value around the error that was compared with its old value, and
    /// differs from it.
    pub(crate) changed: Option<FieldPath>,
}

/// An error with its location.
pub(crate) struct LocatedError<'e> {
    pub(crate) violation: &'e Violation,
    pub(crate) scope: ErrorScope,
    pub(crate) location: &'e ErrorLocation,
}

impl CollectAll {
    /// Returns a receiver that locates the errors.
    pub(in crate::validate) fn locating() -> Self {
        Self {
            locates: true,
            ..Self::default()
        }
    }

    /// Returns the errors that are not tolerated.
    pub(crate) fn violations(&self) -> impl Iterator<Item = &Violation> {
        self.errors.iter().map(|error| &error.violation)
    }

    /// Returns the errors that are tolerated.
    pub(crate) fn ratcheted(&self) -> impl Iterator<Item = &Violation> {
        self.ratcheted.iter().map(|error| &error.violation)
    }

    /// Returns all errors, with the keywords that report them.
    pub(crate) fn origins(&self) -> impl Iterator<Item = (&Violation, ErrorOrigin)> {
        let errors = self.errors.iter().chain(&self.ratcheted);
        errors.map(|error| (&error.violation, error.origin))
    }

    /// Returns the errors that are not tolerated, with their locations. The receiver must
    /// [locate](Self::locating) errors.
    pub(crate) fn located_errors(&self) -> impl Iterator<Item = LocatedError<'_>> {
        self.errors.iter().filter_map(|error| {
            Some(LocatedError {
                violation: &error.violation,
                scope: error.scope,
                location: error.location.as_deref()?,
            })
        })
    }

    /// Returns the errors and the tolerated errors, each without repeated messages, as a server
    /// reports them. Errors with a repeated message at another path are added to `repeated`.
    pub(crate) fn into_parts(
        self,
        repeated: &mut Vec<Violation>,
    ) -> (Vec<Violation>, Vec<Violation>) {
        let [errors, ratcheted] = [self.errors, self.ratcheted].map(|errors| {
            let violations = errors.into_iter().map(|error| error.violation);
            violations.collect()
        });
        (
            dedup_errors(errors, repeated),
            dedup_errors(ratcheted, &mut Vec::new()),
        )
    }
}

impl ErrorSink for CollectAll {
    const COLLECTS: bool = true;
    const DESCENDS: bool = true;

    fn report(
        &mut self,
        origin: ErrorOrigin,
        build_violation: impl FnOnce() -> Violation,
    ) -> ControlFlow<()> {
        self.errors.push(CollectedError {
            violation: build_violation(),
            origin,
            is_exempt: false,
            scope: self.scope,
            location: None,
        });
        ControlFlow::Continue(())
    }

    fn len(&self) -> usize {
        self.errors.len()
    }

    fn tolerate(&mut self, start: usize) {
        let tolerated = self.errors.extract_if(start.., |error| !error.is_exempt);
        self.ratcheted.extend(tolerated);
    }

    fn exempt(&mut self, start: usize) {
        for error in self.errors.iter_mut().skip(start) {
            error.is_exempt = true;
        }
    }

    fn mark_branch(&mut self, start: usize) {
        for error in self.errors.iter_mut().skip(start) {
            error.origin.is_in_combinator = true;
        }
    }

    fn enter(&mut self, scope: ErrorScope) -> ErrorScope {
        let outer_scope = self.scope;
        if outer_scope == ErrorScope::Value {
            self.scope = scope;
        }
        outer_scope
    }

    fn leave(&mut self, outer_scope: ErrorScope) {
        self.scope = outer_scope;
    }

    fn locate(&mut self, start: usize, node: NodeId, path: &Path<'_>, is_changed: bool) {
        if !self.locates {
            return;
        }
        let path = path.to_field_path();
        for error in self.errors.iter_mut().skip(start) {
            let location = error.location.get_or_insert_with(|| {
                let path = path.clone();
                let changed = None;
                Box::new(ErrorLocation {
                    path,
                    node,
                    changed,
                })
            });
            if location.path == path {
                location.node = node;
            }
            if is_changed && location.changed.is_none() {
                location.changed = Some(path.clone());
            }
        }
    }
}
