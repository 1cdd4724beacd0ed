//! The errors in the source of an expression.

use core::fmt;

/// An error in an expression, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceError {
    /// The byte of the source.
    pub offset: u32,
    /// The message, as a server prints it.
    pub message: String,
}

impl SourceError {
    pub(crate) fn new(at: u32, text: impl Into<String>) -> Self {
        Self {
            offset: at,
            message: text.into(),
        }
    }

    /// Returns the problem with its position, its line and an arrow, as the server prints it.
    #[must_use]
    pub fn render(&self, source: &str) -> String {
        let at = (self.offset as usize).min(source.len());
        let before = source.get(..at).unwrap_or(source);
        let line = before.matches('\n').count();
        let before = before.rsplit('\n').next().unwrap_or_default();
        let text = source.split('\n').nth(line).unwrap_or_default();
        let under = |c: char| if c.is_ascii() { '.' } else { '\u{ff0e}' };
        let dots: String = before.chars().map(under).collect();
        let at = text
            .get(before.len()..)
            .and_then(|rest| rest.chars().next());
        let arrow = if at.is_none_or(|c| c.is_ascii()) {
            '^'
        } else {
            '\u{ff3e}'
        };
        format!(
            "ERROR: <input>:{}:{}: {}\n | {}\n | {dots}{arrow}",
            line + 1,
            before.chars().count() + 1,
            self.message,
            text.replace('\t', " "),
        )
    }
}

/// The maximum number of problems that a server prints.
const MAX_PRINTED: usize = 100;

/// The problems of an expression, in the order of their positions. `Display` prints them as a
/// server does: the first 100, each with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceErrors {
    source: Box<str>,
    errors: Vec<SourceError>,
}

impl SourceErrors {
    pub(crate) fn new(source: &str, mut problems: Vec<SourceError>) -> Self {
        problems.sort_by_key(|problem| problem.offset);
        Self {
            source: source.into(),
            errors: problems,
        }
    }

    /// Returns the expression.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.source
    }

    /// Returns the problems, of which there is at least one.
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
        for (number, problem) in self.iter().take(MAX_PRINTED).enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&problem.render(&self.source))?;
        }
        Ok(())
    }
}

impl core::error::Error for SourceErrors {}
