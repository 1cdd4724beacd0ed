//! Problems that prevent a verdict.

use std::fmt;

/// An error of the user: the place, what was found there, and the remedy.
#[derive(Debug)]
pub(crate) struct Problem {
    place: String,
    text: String,
}

impl Problem {
    /// Creates a problem; `place` is a file, or a file and a part of it.
    pub(crate) fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            text: text.into(),
        }
    }
}

impl Problem {
    /// Returns the message, without the place.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// A syntax error in a source whose name is not known yet.
#[derive(Debug)]
pub(crate) struct Flaw {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1: in bytes for JSON and in characters for YAML, as their parsers count.
    pub(crate) column: usize,
    pub(crate) text: String,
}

impl Flaw {
    /// Returns the problem for a file, in the format of compilers: `new.yaml:3:7: ...`.
    pub(crate) fn of_file(self, file: &str) -> Problem {
        let Self { line, column, text } = self;
        Problem::new(format!("{file}:{line}:{column}"), text)
    }
}
