//! Versions of Kubernetes.

/// A version of Kubernetes. Both `0.36`, the version of its libraries, and `1.36` parse as
/// Kubernetes 1.36. `Display` prints `0.36`.
///
/// Versions differ in the functions, macros and checks of CEL expressions
/// ([`Environment::version`](crate::Environment::version)), in the formats that 1.34 added, in the
/// values in errors of CEL rules (since 1.35), and in the range checks of formats such as `int32`
/// (since 1.36). All other results, including ratcheting, are the results of
/// [`LATEST`](Self::LATEST).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KubeVersion {
    minor: u16,
}

impl KubeVersion {
    /// The version 1.36, which tests compare all results with.
    pub const LATEST: Self = Self::minor(36);

    /// Returns the version `1.minor`.
    #[must_use]
    pub const fn minor(minor: u16) -> Self {
        Self { minor }
    }

    /// Returns the minor version.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.minor
    }

    /// Returns true if expressions support optional values, with syntax such as `.?` and `[?`.
    pub(crate) const fn has_optionals(self) -> bool {
        self.minor >= 28
    }

    /// Returns true if literal durations, timestamps, regular expressions and format strings are
    /// checked when an expression is compiled.
    pub(crate) const fn checks_literals(self) -> bool {
        self.minor >= 29
    }

    /// Returns true if expressions support IP addresses and networks.
    pub(crate) const fn has_ip_and_cidr(self) -> bool {
        self.minor >= 30
    }

    /// Returns true if the macros with two variables exist.
    pub(crate) const fn has_two_variable_macros(self) -> bool {
        self.minor >= 32
    }

    /// Returns true if the macro `sortBy` exists.
    pub(crate) const fn has_sort_by(self) -> bool {
        self.minor >= 34
    }

    /// Returns true if numbers are checked against the range of their format.
    #[must_use]
    pub const fn checks_numeric_ranges(self) -> bool {
        self.minor >= 36
    }

    /// Returns true if errors of CEL rules quote the value instead of the name of its type.
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

/// Parses a version such as `0.36` or `1.36`.
impl core::str::FromStr for KubeVersion {
    type Err = ParseVersionError;

    fn from_str(input: &str) -> Result<Self, ParseVersionError> {
        let minor = input
            .strip_prefix("0.")
            .or_else(|| input.strip_prefix("1."));
        let minor = minor.and_then(|minor| minor.parse().ok());
        minor.map(Self::minor).ok_or_else(|| ParseVersionError {
            input: input.into(),
        })
    }
}

/// An error for a string that is not a version of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseVersionError {
    input: Box<str>,
}

impl ParseVersionError {
    /// Returns the string that could not be parsed.
    #[must_use]
    pub fn input(&self) -> &str {
        &self.input
    }
}

impl core::fmt::Display for ParseVersionError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { input } = self;
        write!(
            f,
            "{input:?} is not a version of Kubernetes; expected a version such as 1.36"
        )
    }
}

impl core::error::Error for ParseVersionError {}
