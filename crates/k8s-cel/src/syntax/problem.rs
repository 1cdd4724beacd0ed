//! An error in the text of an expression.

/// An error in an expression, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The byte of the text.
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

    /// The problem with its place, its line and an arrow, as the server prints it.
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
