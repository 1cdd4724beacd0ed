//! Errors of patterns, with Go's messages, which users find in logs and search for.

use core::fmt;

/// An error of a pattern, and the part of the pattern with the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SyntaxError<'p> {
    code: PatternErrorCode,
    part: &'p str,
}

/// The kind of an error in a pattern: an `ErrorCode` of Go's `regexp/syntax`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PatternErrorCode {
    /// The error `ErrInvalidCharRange`: an invalid range or name of a class, such as `[b-a]`.
    InvalidCharRange,
    /// The error `ErrInvalidEscape`: an unknown escape, such as `\u`.
    InvalidEscape,
    /// The error `ErrInvalidNamedCapture`: an invalid name of a group, such as `(?P<a-b>c)`.
    InvalidNamedCapture,
    /// The error `ErrInvalidPerlOp`: syntax of Perl that Go does not have, such as `(?=a)`.
    InvalidPerlOp,
    /// The error `ErrInvalidRepeatOp`: a repetition of a repetition, such as `a**`.
    InvalidRepeatOp,
    /// The error `ErrInvalidRepeatSize`: an invalid count, such as `a{1001}`.
    InvalidRepeatSize,
    /// The error `ErrMissingBracket`: a class without its end, such as `[a`.
    MissingBracket,
    /// The error `ErrMissingParen`: a group without its end, such as `(a`.
    MissingParen,
    /// The error `ErrMissingRepeatArgument`: a repetition of nothing, such as `*`.
    MissingRepeatArgument,
    /// The error `ErrTrailingBackslash`: a backslash at the end.
    TrailingBackslash,
    /// The error `ErrUnexpectedParen`: a parenthesis without its start, such as `a)`.
    UnexpectedParen,
    /// The error `ErrNestingDepth`: groups that are nested too deeply.
    NestingDepth,
    /// The error `ErrLarge`: a pattern that is too large when compiled.
    Large,
}

impl PatternErrorCode {
    pub(super) const fn error_at(self, part: &str) -> SyntaxError<'_> {
        SyntaxError { code: self, part }
    }

    /// Returns Go's description of the error, such as `missing closing ]`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidCharRange => "invalid character class range",
            Self::InvalidEscape => "invalid escape sequence",
            Self::InvalidNamedCapture => "invalid named capture",
            Self::InvalidPerlOp => "invalid or unsupported Perl syntax",
            Self::InvalidRepeatOp => "invalid nested repetition operator",
            Self::InvalidRepeatSize => "invalid repeat count",
            Self::MissingBracket => "missing closing ]",
            Self::MissingParen => "missing closing )",
            Self::MissingRepeatArgument => "missing argument to repetition operator",
            Self::TrailingBackslash => "trailing backslash at end of expression",
            Self::UnexpectedParen => "unexpected )",
            Self::NestingDepth => "expression nests too deeply",
            Self::Large => "expression too large",
        }
    }
}

impl fmt::Display for SyntaxError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}`", self.code.as_str(), self.part)
    }
}

/// Returns the string without its first character.
pub(super) fn without_first_char(string: &str) -> &str {
    let mut chars = string.chars();
    chars.next();
    chars.as_str()
}

/// Returns the part of the string before `rest`, which must be a suffix of the string.
pub(super) fn prefix_before<'p>(string: &'p str, rest: &str) -> &'p str {
    string
        .get(..string.len().saturating_sub(rest.len()))
        .unwrap_or(string)
}

/// The error for a pattern that does not compile, with the message of an API server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    code: PatternErrorCode,
    part: Box<str>,
}

impl PatternError {
    /// Returns the kind of the error.
    #[must_use]
    pub const fn code(&self) -> PatternErrorCode {
        self.code
    }

    /// Returns the part of the pattern with the error, such as `[a`.
    #[must_use]
    pub fn part(&self) -> &str {
        &self.part
    }

    /// Returns Go's complete message, such as ``error parsing regexp: missing closing ]: `[a` ``.
    #[must_use]
    pub fn reason(&self) -> String {
        let Self { code, part } = self;
        let error = SyntaxError { code: *code, part };
        format!("error parsing regexp: {error}")
    }
}

impl From<SyntaxError<'_>> for PatternError {
    fn from(error: SyntaxError<'_>) -> Self {
        Self {
            code: error.code,
            part: error.part.into(),
        }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason();
        write!(f, "must be a valid regular expression, but isn't: {reason}")
    }
}

impl core::error::Error for PatternError {}
