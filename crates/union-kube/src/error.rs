//! What is wrong with the CRD of a type.

use core::fmt;

/// Why a CRD could not be made: where, and what to do. `Display` has both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrdError {
    path: String,
    problem: String,
}

impl CrdError {
    pub(super) fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
        }
    }

    /// The place in the CRD, as `metadata.annotations`; the CRD's name, where it is all of it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The problem, and what to do.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for CrdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.problem)
    }
}

impl core::error::Error for CrdError {}
