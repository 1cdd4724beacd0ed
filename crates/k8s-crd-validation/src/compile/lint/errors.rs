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
    /// The following checks continue.
    Recoverable,
    /// A server does not decode the rest of the schema.
    Fatal,
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

    /// Adds an error after which a server does not decode the rest of the schema.
    pub(super) fn push_fatal(&mut self, violation: Violation) {
        self.push_with_severity(Severity::Fatal, violation);
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

    pub(super) fn iter(&self) -> impl Iterator<Item = &LintError> {
        self.list.iter()
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&LintError) -> bool) {
        self.list.retain(keep);
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
