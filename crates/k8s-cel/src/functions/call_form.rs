//! Properties of functions that the checker and the machine do not treat as plain calls.

/// The form of a call. The checker has a plan for each form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// A call of the code of an overload.
    Call,
    /// `a + b`.
    Add,
    /// `a && b`.
    And,
    /// `condition ? yes : no`.
    Conditional,
    /// `dyn(a)`.
    Dyn,
    /// `a == b`.
    Equal,
    /// `a in b`.
    In,
    /// `a[b]`.
    Index,
    /// `!a`.
    Not,
    /// `a != b`.
    NotEqual,
    /// A condition of a comprehension, which an error does not end.
    NotStrictlyFalse,
    /// `a[?b]`.
    OptionalIndex,
    /// `a.or(b)`.
    OptionalOr,
    /// `a.orValue(b)`.
    OptionalOrValue,
    /// `a || b`.
    Or,
    /// `size(a)`.
    Size,
}

impl CallForm {
    /// Returns the result of a comparison of equal values; `None` for forms that do not compare.
    pub(crate) const fn equality(self) -> Option<bool> {
        match self {
            Self::Equal => Some(true),
            Self::NotEqual => Some(false),
            Self::Call
            | Self::Add
            | Self::And
            | Self::Conditional
            | Self::Dyn
            | Self::In
            | Self::Index
            | Self::Not
            | Self::NotStrictlyFalse
            | Self::OptionalIndex
            | Self::OptionalOr
            | Self::OptionalOrValue
            | Self::Or
            | Self::Size => None,
        }
    }
}

/// A validator of literal arguments, as in `cel/validator.go` of cel-go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Validator {
    /// The first argument is a duration.
    Duration,
    /// The receiver is a format string, and the argument a list of any types.
    Format,
    /// The first argument is a regular expression.
    Regex,
    /// The first argument is a timestamp.
    Timestamp,
}

/// The purpose of a regular expression, the second argument. A constant one is compiled in advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegexUse {
    /// Searches for the parts of a string that match.
    Find,
    /// Tests that a string has a match.
    Match,
}
