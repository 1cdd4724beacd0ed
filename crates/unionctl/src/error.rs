//! Problems that prevent a verdict.

use std::fmt;

/// An error of the user: the place, what was found there, and the remedy.
#[derive(Debug)]
pub(crate) struct CommandError {
    location: String,
    message: String,
}

impl CommandError {
    /// Creates a problem; `place` is a file, or a file and a part of it.
    pub(crate) fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            location: place.into(),
            message: text.into(),
        }
    }
}

impl CommandError {
    /// Returns the message, without the place.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.message)
    }
}

/// A syntax error in a source whose name is not known yet.
#[derive(Debug)]
pub(crate) struct InputError {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column in characters, from 1.
    pub(crate) column: usize,
    pub(crate) message: String,
}

impl InputError {
    /// Creates an error from an error of the YAML reader.
    pub(crate) fn from_reader(error: k8s_yaml::Error) -> Self {
        Self {
            line: error.line,
            column: error.column,
            message: error.message,
        }
    }

    /// Returns the problem for a file, in the format of compilers: `new.yaml:3:7: ...`.
    pub(crate) fn in_file(self, file: &str) -> CommandError {
        let Self {
            line,
            column,
            message: text,
        } = self;
        CommandError::new(format!("{file}:{line}:{column}"), text)
    }
}
