//! Errors, and the positions that they report.

use core::fmt;

/// A position in a document. All numbers count from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The number of characters before the position. YAML limits the length of keys in characters.
    pub(crate) index: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Mark {
    /// Moves the position to the end of a string that begins here.
    pub(crate) fn advance(&mut self, text: &str) {
        for c in text.chars() {
            self.index += 1;
            if c == '\n' {
                self.line += 1;
                self.column = 0;
            } else {
                self.column += 1;
            }
        }
    }
}

/// An error in a source: its position and the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The message, without the position.
    pub message: String,
}

impl Error {
    /// Creates an error without a prefix, for valid YAML or JSON that cannot be sent to an API
    /// server.
    pub(crate) fn new(mark: Mark, message: impl Into<String>) -> Self {
        Self {
            line: mark.line + 1,
            column: mark.column + 1,
            message: message.into(),
        }
    }

    pub(crate) fn yaml(mark: Mark, message: impl fmt::Display) -> Self {
        Self::new(mark, format!("invalid YAML: {message}"))
    }

    pub(crate) fn json(mark: Mark, message: impl fmt::Display) -> Self {
        Self::new(mark, format!("invalid JSON: {message}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl core::error::Error for Error {}

/// The remedy for the character U+0000. A file in UTF-16 contains this character if the file is
/// read as UTF-8.
pub(crate) const NUL_REMEDY: &str = "save the file as UTF-8 if it has another encoding";

/// Returns the message for a document with too many levels.
pub(crate) fn too_deep_message(limit: usize) -> String {
    format!("nesting exceeds the limit of {limit} levels")
}
