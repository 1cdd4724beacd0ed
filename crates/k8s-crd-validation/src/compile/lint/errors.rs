//! The list of errors of a schema.

use union_runtime::Violation;

/// An error in a schema.
pub(super) struct LintError {
    pub(super) violation: Violation,
    pub(super) severity: Severity,
}

/// The effect of an error on the following checks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    /// All following checks continue.
    Recoverable,
    /// A server cannot convert the schema to a structural schema. The checks of single keywords
    /// continue.
    NotConvertible,
    /// A server cannot decode the CRD, or the schema is too deep for this crate. Errors of other
    /// severities are not reported.
    NotDecodable,
}

/// The errors that the checks have found so far.
#[derive(Default)]
pub(super) struct LintErrors {
    list: Vec<LintError>,
}

impl LintErrors {
    /// Adds an error after which the checks continue.
    pub(super) fn push(&mut self, violation: Violation) {
        self.push_with_severity(Severity::Recoverable, violation);
    }

    /// Adds the error of a schema that a server cannot convert to a structural schema.
    pub(super) fn push_not_convertible(&mut self, violation: Violation) {
        self.push_with_severity(Severity::NotConvertible, violation);
    }

    /// Adds the error of a schema that a server cannot decode.
    pub(super) fn push_not_decodable(&mut self, violation: Violation) {
        self.push_with_severity(Severity::NotDecodable, violation);
    }

    pub(super) fn push_with_severity(&mut self, severity: Severity, violation: Violation) {
        self.list.push(LintError {
            violation,
            severity,
        });
    }

    pub(super) fn extend(&mut self, violations: impl IntoIterator<Item = Violation>) {
        for violation in violations {
            self.push(violation);
        }
    }

    /// Returns true if there is an error with a severity.
    pub(super) fn has(&self, severity: Severity) -> bool {
        self.iter().any(|error| error.severity == severity)
    }

    /// Returns true if all errors after the first `count` errors are recoverable.
    pub(super) fn are_recoverable_after(&self, count: usize) -> bool {
        let mut new_errors = self.iter().skip(count);
        new_errors.all(|error| error.severity == Severity::Recoverable)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &LintError> {
        self.list.iter()
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&LintError) -> bool) {
        self.list.retain(keep);
    }

    /// Removes and returns the violations of the errors for which `is_taken` returns true.
    pub(super) fn take(&mut self, is_taken: impl Fn(&LintError) -> bool) -> Vec<Violation> {
        let taken = self.list.extract_if(.., |error| is_taken(error));
        taken.map(|error| error.violation).collect()
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    pub(super) const fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn into_violations(self) -> Vec<Violation> {
        let errors = self.list.into_iter();
        errors.map(|error| error.violation).collect()
    }
}
