//! Errors in the source of an expression.

use core::fmt;

/// An error in the source of an expression, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceError {
    /// The byte position in the source.
    pub offset: u32,
    /// The message of the server.
    pub message: String,
}

impl SourceError {
    pub(crate) fn new(offset: u32, message: impl Into<String>) -> Self {
        Self {
            offset,
            message: message.into(),
        }
    }

    /// Returns the message with the position, the source line and an arrow, as a server prints it.
    #[must_use]
    pub fn render(&self, source: &str) -> String {
        let offset = (self.offset as usize).min(source.len());
        let before = source.get(..offset).unwrap_or(source);
        let line = before.matches('\n').count();
        let line_prefix = before.rsplit('\n').next().unwrap_or_default();
        let line_source = source.split('\n').nth(line).unwrap_or_default();
        // Below characters outside of ASCII, the server prints a full-width dot or arrow.
        let dot_for = |c: char| if c.is_ascii() { '.' } else { '\u{ff0e}' };
        let dots: String = line_prefix.chars().map(dot_for).collect();
        let char_at_offset = line_source
            .get(line_prefix.len()..)
            .and_then(|rest| rest.chars().next());
        let arrow = if char_at_offset.is_none_or(|c| c.is_ascii()) {
            '^'
        } else {
            '\u{ff3e}'
        };
        format!(
            "ERROR: <input>:{}:{}: {}\n | {}\n | {dots}{arrow}",
            line + 1,
            line_prefix.chars().count() + 1,
            self.message,
            line_source.replace('\t', " "),
        )
    }
}

/// The maximum number of errors that a server prints.
const MAX_PRINTED: usize = 100;

/// The errors of an expression, sorted by position. `Display` prints the first 100 with their
/// source lines, as a server does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceErrors {
    source: Box<str>,
    errors: Vec<SourceError>,
}

impl SourceErrors {
    pub(crate) fn new(source: &str, mut errors: Vec<SourceError>) -> Self {
        errors.sort_by_key(|error| error.offset);
        Self {
            source: source.into(),
            errors,
        }
    }

    /// Returns the source of the expression.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.source
    }

    /// Returns the errors, at least one.
    pub fn iter(&self) -> core::slice::Iter<'_, SourceError> {
        self.errors.iter()
    }
}

impl<'a> IntoIterator for &'a SourceErrors {
    type Item = &'a SourceError;
    type IntoIter = core::slice::Iter<'a, SourceError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for SourceErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.iter().take(MAX_PRINTED).enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&error.render(&self.source))?;
        }
        Ok(())
    }
}

impl core::error::Error for SourceErrors {}
