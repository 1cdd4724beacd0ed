//! Versions of Kubernetes.

/// A version of Kubernetes, by its libraries: `0.36` is that of Kubernetes 1.36. It is read from `0.36` or `1.36`, and printed
/// as `0.36`.
///
/// Told apart are the functions, macros and checks of CEL expressions ([`Environment::version`](crate::Environment::version)), formats that came with 1.34, how failed CEL rules show values (since 1.35), and ranges of `int32` and the
/// like (since 1.36); for the rest, all versions answer as [`LATEST`](Self::LATEST) does, ratcheting included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    minor: u16,
}

impl Version {
    /// 0.36, the version that all has been compared with.
    pub const LATEST: Self = Self::minor(36);

    /// The version `0.minor`.
    #[must_use]
    pub const fn minor(minor: u16) -> Self {
        Self { minor }
    }

    /// The number behind the point.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.minor
    }

    /// Whether expressions have optional values, with `.?`, `[?` and the like.
    pub(crate) const fn has_optionals(self) -> bool {
        self.minor >= 28
    }

    /// Whether literals of durations, timestamps, patterns and templates are checked when an expression is compiled.
    pub(crate) const fn checks_literals(self) -> bool {
        self.minor >= 29
    }

    /// Whether there are addresses and networks.
    pub(crate) const fn has_addresses(self) -> bool {
        self.minor >= 30
    }

    /// Whether macros may have two variables.
    pub(crate) const fn has_two_variables(self) -> bool {
        self.minor >= 32
    }

    /// Whether lists are sorted.
    pub(crate) const fn sorts(self) -> bool {
        self.minor >= 34
    }

    /// Whether numbers are checked against the range of their type.
    #[must_use]
    pub const fn checks_ranges(self) -> bool {
        self.minor >= 36
    }

    /// Whether CEL errors show the value, and not the name of its type.
    #[must_use]
    pub const fn shows_values(self) -> bool {
        self.minor >= 35
    }
}

impl Default for Version {
    fn default() -> Self {
        Self::LATEST
    }
}

/// `0.36`
impl core::fmt::Display for Version {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "0.{}", self.minor)
    }
}

/// `0.36`
impl core::str::FromStr for Version {
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
            "{text:?} is not a version of Kubernetes; write it as 0.36"
        )
    }
}

impl core::error::Error for ParseVersionError {}
