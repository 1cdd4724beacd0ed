//! Why there are no policies.

use core::fmt;

/// Why there are no policies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyError(String);

impl PolicyError {
    pub(crate) fn new(problem: &impl fmt::Display) -> Self {
        Self(problem.to_string())
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PolicyError {}
