//! Why nothing was written.

use std::fmt;

/// Why nothing was written: where it is, what was found, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    path: String,
    text: String,
}

impl Refused {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }

    /// Where it is: a path in the CRD, or a setting.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The problem, and what to do.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.text)
    }
}

impl std::error::Error for Refused {}
