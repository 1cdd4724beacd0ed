//! What keeps a command from a verdict.

use std::fmt;

/// Wrong use: where it is, what was found there, and what to do.
#[derive(Debug)]
pub(crate) struct Problem {
    place: String,
    text: String,
}

impl Problem {
    /// `place` is a file, or a file and what is in it.
    pub(crate) fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            text: text.into(),
        }
    }
}

impl Problem {
    /// What is wrong, without where.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// What is wrong in a text that has no name yet.
#[derive(Debug)]
pub(crate) struct Flaw {
    /// From 1.
    pub(crate) line: usize,
    /// From 1, in bytes for JSON and in characters for YAML, as their readers count.
    pub(crate) column: usize,
    pub(crate) text: String,
}

impl Flaw {
    /// The problem that it is in a file, as compilers write it: `new.yaml:3:7: ...`.
    pub(crate) fn of_file(self, file: &str) -> Problem {
        let Self { line, column, text } = self;
        Problem::new(format!("{file}:{line}:{column}"), text)
    }
}
