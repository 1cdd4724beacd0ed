//! The errors in the source of an expression.

use core::fmt;

/// An error in an expression, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The byte of the source.
    pub at: u32,
    /// The message, as a server prints it.
    pub text: String,
}

impl Problem {
    pub(crate) fn new(at: u32, text: impl Into<String>) -> Self {
        Self {
            at,
            text: text.into(),
        }
    }

    /// Returns the problem with its position, its line and an arrow, as the server prints it.
    #[must_use]
    pub fn render(&self, source: &str) -> String {
        let at = (self.at as usize).min(source.len());
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
            self.text,
            text.replace('\t', " "),
        )
    }
}

/// The maximum number of problems that a server prints.
const PRINTED: usize = 100;

/// The problems of an expression, in the order of their positions. `Display` prints them as a
/// server does: the first 100, each with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    source: Box<str>,
    problems: Vec<Problem>,
}

impl Problems {
    pub(crate) fn new(source: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.at);
        Self {
            source: source.into(),
            problems,
        }
    }

    /// Returns the expression.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.source
    }

    /// Returns the problems, of which there is at least one.
    pub fn iter(&self) -> core::slice::Iter<'_, Problem> {
        self.problems.iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a Problem;
    type IntoIter = core::slice::Iter<'a, Problem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, problem) in self.iter().take(PRINTED).enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&problem.render(&self.source))?;
        }
        Ok(())
    }
}

impl core::error::Error for Problems {}
