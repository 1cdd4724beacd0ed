//! Versions of Kubernetes.

/// A version of Kubernetes, by its libraries: `0.36` is the version of Kubernetes 1.36. It parses
/// from `0.36` or `1.36`, and prints as `0.36`.
///
/// Versions differ in the functions, macros and checks of CEL expressions
/// ([`Environment::version`](crate::Environment::version)), the formats that 1.34 added, the values
/// in errors of CEL rules (since 1.35), and the ranges of `int32` and the like (since 1.36). All
/// other results, including ratcheting, are the results of [`LATEST`](Self::LATEST).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KubeVersion {
    minor: u16,
}

impl KubeVersion {
    /// The version 0.36, which all results were compared with.
    pub const LATEST: Self = Self::minor(36);

    /// Returns the version `0.minor`.
    #[must_use]
    pub const fn minor(minor: u16) -> Self {
        Self { minor }
    }

    /// Returns the number after the dot.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.minor
    }

    /// Returns true if expressions have optional values, with `.?`, `[?` and the like.
    pub(crate) const fn has_optionals(self) -> bool {
        self.minor >= 28
    }

    /// Returns true if literals of durations, timestamps, patterns and format strings are checked
    /// at the compilation of an expression.
    pub(crate) const fn checks_literals(self) -> bool {
        self.minor >= 29
    }

    /// Returns true if expressions have addresses and networks.
    pub(crate) const fn has_ip_and_cidr(self) -> bool {
        self.minor >= 30
    }

    /// Returns true if macros may have two variables.
    pub(crate) const fn has_two_variable_macros(self) -> bool {
        self.minor >= 32
    }

    /// Returns true if expressions can sort lists.
    pub(crate) const fn has_sort_by(self) -> bool {
        self.minor >= 34
    }

    /// Returns true if numbers are checked against the range of their type.
    #[must_use]
    pub const fn checks_numeric_ranges(self) -> bool {
        self.minor >= 36
    }

    /// Returns true if CEL errors contain the value instead of the name of its type.
    #[must_use]
    pub const fn errors_quote_values(self) -> bool {
        self.minor >= 35
    }
}

impl Default for KubeVersion {
    fn default() -> Self {
        Self::LATEST
    }
}

/// Prints the version as `0.36`.
impl core::fmt::Display for KubeVersion {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "0.{}", self.minor)
    }
}

/// Parses the version from `0.36` or `1.36`.
impl core::str::FromStr for KubeVersion {
    type Err = ParseVersionError;

    fn from_str(text: &str) -> Result<Self, ParseVersionError> {
        let minor = text.strip_prefix("0.").or_else(|| text.strip_prefix("1."));
        let minor = minor.and_then(|minor| minor.parse().ok());
        minor
            .map(Self::minor)
            .ok_or_else(|| ParseVersionError { text: text.into() })
    }
}

/// The error for a string that is not a version of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseVersionError {
    text: Box<str>,
}

impl ParseVersionError {
    /// Returns the string that is not a version.
    #[must_use]
    pub fn input(&self) -> &str {
        &self.text
    }
}

impl core::fmt::Display for ParseVersionError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { text } = self;
        write!(
            f,
            "{text:?} is not a version of Kubernetes; expected a version such as 1.36"
        )
    }
}

impl core::error::Error for ParseVersionError {}
