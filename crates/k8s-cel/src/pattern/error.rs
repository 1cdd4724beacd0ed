//! The errors of patterns, in Go's words: users find them in logs, and search for them.

use core::fmt;

/// A problem and the part of the pattern that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refused<'p> {
    problem: Problem,
    part: &'p str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    ClassRange,
    Escape,
    NamedCapture,
    PerlSyntax,
    NestedRepeat,
    RepeatCount,
    MissingBracket,
    MissingParen,
    MissingArgument,
    TrailingBackslash,
    UnexpectedParen,
    Nesting,
    Large,
}

impl Problem {
    pub(super) const fn at(self, part: &str) -> Refused<'_> {
        Refused {
            problem: self,
            part,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::ClassRange => "invalid character class range",
            Self::Escape => "invalid escape sequence",
            Self::NamedCapture => "invalid named capture",
            Self::PerlSyntax => "invalid or unsupported Perl syntax",
            Self::NestedRepeat => "invalid nested repetition operator",
            Self::RepeatCount => "invalid repeat count",
            Self::MissingBracket => "missing closing ]",
            Self::MissingParen => "missing closing )",
            Self::MissingArgument => "missing argument to repetition operator",
            Self::TrailingBackslash => "trailing backslash at end of expression",
            Self::UnexpectedParen => "unexpected )",
            Self::Nesting => "expression nests too deeply",
            Self::Large => "expression too large",
        }
    }
}

impl fmt::Display for Refused<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}`", self.problem.text(), self.part)
    }
}

/// A text without its first character.
pub(super) fn tail(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

/// The start of a text, up to where its rest begins.
pub(super) fn up_to<'p>(text: &'p str, rest: &str) -> &'p str {
    text.get(..text.len().saturating_sub(rest.len()))
        .unwrap_or(text)
}

/// The error for a pattern that does not compile, as an API server words it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    reason: Box<str>,
}

impl PatternError {
    /// Returns the reason alone: ``error parsing regexp: missing closing ]: `[a` ``.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl From<Refused<'_>> for PatternError {
    fn from(refused: Refused<'_>) -> Self {
        let reason = format!("error parsing regexp: {refused}").into();
        Self { reason }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason } = self;
        write!(f, "must be a valid regular expression, but isn't: {reason}")
    }
}

impl core::error::Error for PatternError {}
