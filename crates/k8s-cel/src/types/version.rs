//! Versions of Kubernetes.

use core::fmt;
use core::str::FromStr;

/// A minor version of Kubernetes, from [`EARLIEST`](Self::EARLIEST) to [`LATEST`](Self::LATEST).
///
/// A version parses from `1.36` or `v1.36`, from the version of a cluster (`1.36.2`,
/// `v1.36.2-gke.100`, `v1.36.2+k3s1`), and from the version of the Go modules (`0.36`). Patch
/// versions and suffixes have no effect. A version prints as `1.36`.
///
/// [`Feature`](crate::Feature) lists the differences between versions. Everything else behaves as
/// in the latest version.
///
/// ```
/// use k8s_cel::{Feature, KubeVersion};
///
/// let version: KubeVersion = "v1.30.4".parse()?;
/// assert_eq!(version.to_string(), "1.30");
/// assert!(version.has(Feature::IpAndCidr));
/// // New rules use the libraries of 1.29.
/// assert!(!version.of_new_rules().has(Feature::IpAndCidr));
/// let error = "1.24".parse::<KubeVersion>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"unknown version of Kubernetes "1.24"; expected a version from 1.25 to 1.37"#,
/// );
/// # Ok::<(), k8s_cel::ParseVersionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KubeVersion {
    minor: u16,
    /// The minor version that decides the features of `mixed_features`.
    mixed_minor: u16,
    /// A bit for each feature that [`with_features_of`](Self::with_features_of) takes from another
    /// version.
    mixed_features: u128,
}

impl KubeVersion {
    /// The version 1.25, the first version whose CRDs may have CEL rules by default.
    pub const EARLIEST: Self = Self::from_table(25);

    /// The version 1.37, the default.
    pub const LATEST: Self = Self::from_table(37);

    /// Returns the version `1.minor`; `None` if this crate does not know the version.
    #[must_use]
    pub const fn from_minor(minor: u16) -> Option<Self> {
        if Self::EARLIEST.minor <= minor && minor <= Self::LATEST.minor {
            Some(Self::from_table(minor))
        } else {
            None
        }
    }

    /// Returns the version of a row of the table of features.
    pub(super) const fn from_table(minor: u16) -> Self {
        Self {
            minor,
            mixed_minor: minor,
            mixed_features: 0,
        }
    }

    /// Returns this version, with the features of `mixed_features` as in another version. Each bit
    /// is the number of a feature.
    pub(super) const fn mixed(self, other: Self, mixed_features: u128) -> Self {
        Self {
            minor: self.minor,
            mixed_minor: other.minor,
            mixed_features,
        }
    }

    /// Returns the minor version that decides the feature with a number.
    pub(super) const fn minor_for(self, feature_number: u32) -> u16 {
        if self.mixed_features & (1 << feature_number) == 0 {
            self.minor
        } else {
            self.mixed_minor
        }
    }

    /// Returns the version with other minor versions.
    pub(super) const fn with_minors(self, minor: u16, mixed_minor: u16) -> Self {
        Self {
            minor,
            mixed_minor,
            ..self
        }
    }

    /// Returns the minor version that decides mixed features.
    pub(super) const fn mixed_minor(self) -> u16 {
        self.mixed_minor
    }

    /// Returns all versions, in ascending order.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::EARLIEST.minor..=Self::LATEST.minor).map(Self::from_table)
    }

    /// Returns the minor version: 36 for `1.36`.
    #[must_use]
    pub const fn minor(self) -> u16 {
        self.minor
    }
}

impl Default for KubeVersion {
    fn default() -> Self {
        Self::LATEST
    }
}

/// Prints the version as `1.36`.
impl fmt::Display for KubeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.minor)
    }
}

/// Parses the version from `1.36`, `v1.36`, or a semantic version such as `v1.36.2-gke.100` or
/// `v1.36.2+k3s1`. The major version 0, which Kubernetes' Go modules have, is read as 1.
impl FromStr for KubeVersion {
    type Err = ParseVersionError;

    fn from_str(text: &str) -> Result<Self, ParseVersionError> {
        let error = |problem| ParseVersionError {
            text: text.into(),
            problem,
        };
        let minor = parse_minor(text).ok_or_else(|| error(VersionProblem::Malformed))?;
        let known = minor.parse().ok().and_then(Self::from_minor);
        known.ok_or_else(|| error(VersionProblem::Unknown))
    }
}

/// Returns the digits of the minor version; `None` if the string does not have the form of a
/// version of Kubernetes.
fn parse_minor(text: &str) -> Option<&str> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let (text, build) = split_suffix(text, '+');
    let (core, pre_release) = split_suffix(text, '-');
    let mut numbers = core.split('.');
    let (major, minor, patch) = (numbers.next()?, numbers.next()?, numbers.next());
    let is_core = numbers.next().is_none() && patch.is_none_or(is_number);
    // Only a version with a patch version may have a suffix.
    let mut suffixes = [pre_release, build].into_iter().flatten();
    let are_suffixes = suffixes.all(|suffix| patch.is_some() && is_suffix(suffix));
    let is_version = matches!(major, "0" | "1") && is_number(minor) && is_core && are_suffixes;
    is_version.then_some(minor)
}

/// Splits a string at the first separator.
fn split_suffix(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((start, suffix)) => (start, Some(suffix)),
        None => (text, None),
    }
}

/// Returns true for the suffix of a pre-release or of a build: identifiers separated by dots.
fn is_suffix(text: &str) -> bool {
    text.split('.').all(|identifier| {
        let mut bytes = identifier.bytes();
        !identifier.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

/// Returns true for a decimal number without leading zeros.
fn is_number(text: &str) -> bool {
    let has_no_leading_zeros = text == "0" || !text.starts_with('0');
    has_no_leading_zeros && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The error for a string that is not a known version of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseVersionError {
    text: Box<str>,
    problem: VersionProblem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VersionProblem {
    /// The string does not have the form of a version.
    Malformed,
    /// The version is not in the table of this crate.
    Unknown,
}

impl ParseVersionError {
    /// Returns the string that is not a known version.
    #[must_use]
    pub fn input(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for ParseVersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, problem } = self;
        let (first, last) = (KubeVersion::EARLIEST, KubeVersion::LATEST);
        match problem {
            VersionProblem::Malformed => write!(
                f,
                "{text:?} is not a version of Kubernetes; expected a version from {first} to {last}, such as {last} or v{last}.2"
            ),
            VersionProblem::Unknown => write!(
                f,
                "unknown version of Kubernetes {text:?}; expected a version from {first} to {last}"
            ),
        }
    }
}

impl core::error::Error for ParseVersionError {}
