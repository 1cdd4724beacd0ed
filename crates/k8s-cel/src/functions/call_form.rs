//! Properties of functions that the checker and the interpreter treat specially.

/// The form of a call, which decides how the checker plans it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallForm {
    /// A plain call of an overload.
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
    /// `@not_strictly_false(a)`: the loop condition of a comprehension, which an error satisfies.
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
    /// Returns the result of comparing equal values, or `None` if the form is not a comparison.
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
    /// The receiver is a format string, and the argument is a list of values of any types.
    Format,
    /// The first argument is a regular expression.
    Regex,
    /// The first argument is a timestamp.
    Timestamp,
}

/// The use of a regular expression, which is the second argument. A constant regular expression is
/// compiled with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegexUse {
    /// Finds the matches in a string.
    Find,
    /// Tests if a string has a match.
    Match,
}
