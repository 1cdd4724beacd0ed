//! How requests are judged.

use super::format::Formats;

/// How requests are judged.
///
/// ```
/// use union_runtime::crd::{Policy, Settings, Version};
///
/// let settings = Settings::default().policy(Policy::Kep4008).version("1.34".parse::<Version>()?);
/// assert!(settings.ratchet && settings.unions.is_none());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// What is tolerated, and by which rule. Default: what an API server does.
    pub policy: Policy,
    /// Whether an update may keep what was wrong with values that it does not change. Default: yes.
    pub ratchet: bool,
    /// The version of Kubernetes whose answers are given. Default: [`Version::LATEST`].
    pub version: Version,
    /// The formats that are checked. Default: `None`, those of [`version`](Self::version).
    pub formats: Option<Formats>,
    /// Whether unions are normalized and validated too, after defaulting; `None` is what an API server does. Default: `None`.
    pub unions: Option<crate::Settings>,
}

/// What is tolerated in an update, and by which rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// What API servers do, so that a preflight tells the truth.
    #[default]
    ApiServer,
    /// KEP-4008 as it is written: an error is ignored iff its value deep-equals the old one; none of `allOf`, `anyOf`,
    /// `oneOf` and `not`; those of metadata with the whole metadata, those of lists with the list; transition rules never.
    Kep4008,
}

/// A version of Kubernetes' libraries: `0.36` is that of Kubernetes 1.36. It is read from `0.36` or `1.36`.
///
/// Told apart are formats that came with 1.34, how failed CEL rules show values (since 1.35), and ranges of `int32` and the
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

    /// Whether numbers are checked against the range of their type.
    pub(super) const fn checks_ranges(self) -> bool {
        self.minor >= 36
    }

    /// Whether CEL errors show the value, and not the name of its type.
    #[cfg_attr(not(feature = "cel"), expect(dead_code, reason = "rules alone ask"))]
    pub(super) const fn shows_values(self) -> bool {
        self.minor >= 35
    }
}

impl Default for Version {
    fn default() -> Self {
        Self::LATEST
    }
}

/// `0.36`
impl core::str::FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let minor = text.strip_prefix("0.").or_else(|| text.strip_prefix("1."));
        let minor = minor.and_then(|minor| minor.parse().ok());
        minor
            .map(Self::minor)
            .ok_or_else(|| format!("{text:?} is no version of Kubernetes; write it as 0.36"))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            policy: Policy::ApiServer,
            ratchet: true,
            version: Version::LATEST,
            formats: None,
            unions: None,
        }
    }
}

impl Settings {
    /// The formats that are checked, where they are not those of the newest release.
    pub(super) fn own_formats(&self) -> Option<Formats> {
        let is_older = self.version < Version::LATEST;
        let of_version = || is_older.then(|| Formats::of_release(self.version.minor.into()));
        self.formats.clone().or_else(of_version)
    }

    /// The same settings with another policy.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// The same settings with ratcheting on or off.
    #[must_use]
    pub fn ratchet(mut self, on: bool) -> Self {
        self.ratchet = on;
        self
    }

    /// The same settings for another version of Kubernetes.
    #[must_use]
    pub fn version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// The same settings with other formats.
    #[must_use]
    pub fn formats(mut self, formats: Formats) -> Self {
        self.formats = Some(formats);
        self
    }

    /// The same settings with unions normalized and validated.
    #[must_use]
    pub fn unions(mut self, unions: crate::Settings) -> Self {
        self.unions = Some(unions);
        self
    }
}
