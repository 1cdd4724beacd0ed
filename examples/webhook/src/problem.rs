//! Problems that prevent the webhook from working.

use std::fmt;

/// A problem: its place, what was found there, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    place: String,
    text: String,
}

impl Problem {
    /// Creates a problem; `place` is a file, a flag, or a CRD.
    pub fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            text: text.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

impl std::error::Error for Problem {}
