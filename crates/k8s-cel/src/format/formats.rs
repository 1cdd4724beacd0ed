//! The table of formats, which callers can change.

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::open_api_formats;
use crate::types::version::KubeVersion;

/// The string formats that are checked, with their names.
///
/// The default formats are the formats of Kubernetes 1.37 (`apiextensions-apiserver`,
/// `pkg/apiserver/validation`; `kube-openapi`, `pkg/validation/strfmt`). Dashes in a name are
/// ignored, so `date-time` is `datetime`; names are case-sensitive. A format that is not in the
/// table is not checked.
///
/// To emulate another version, or another implementation of a format, change the table:
///
/// ```
/// use k8s_cel::format::Formats;
///
/// let formats = Formats::default()
///     .with_format("even", |string| string.len() % 2 == 0)
///     .without_format("email");
/// assert_eq!(formats.check("even", "abc"), Some(false));
/// assert_eq!(formats.check("email", "nobody"), None);
/// assert_eq!(formats.check("date", "2020-02-29"), Some(true));
/// ```
#[derive(Clone)]
pub struct Formats {
    version: KubeVersion,
    /// The changes to the version's table: an added or replaced check, or `None` for a removed
    /// format. Names do not have dashes.
    changed: BTreeMap<String, Option<FormatCheck>>,
}

/// The check of a format.
#[derive(Clone)]
pub struct FormatCheck(CheckFunction);

#[derive(Clone)]
enum CheckFunction {
    BuiltIn(fn(&str) -> bool),
    Custom(Arc<dyn Fn(&str) -> bool + Send + Sync>),
}

impl FormatCheck {
    /// Returns true if a string is valid in this format.
    #[must_use]
    pub fn accepts(&self, string: &str) -> bool {
        match &self.0 {
            CheckFunction::BuiltIn(check) => check(string),
            CheckFunction::Custom(check) => check(string),
        }
    }
}

impl Default for Formats {
    fn default() -> Self {
        Self::for_version(KubeVersion::LATEST)
    }
}

impl Formats {
    /// Returns the formats that exist in a version. 1.34 introduced `k8s-short-name` and
    /// `k8s-long-name`; all versions have the other formats. A server checks defaults with the
    /// formats of its version, and other values with the formats of [`KubeVersion::of_new_rules`].
    #[must_use]
    pub const fn for_version(version: KubeVersion) -> Self {
        Self {
            version,
            changed: BTreeMap::new(),
        }
    }

    /// Adds or replaces a format.
    #[must_use]
    pub fn with_format(
        mut self,
        name: &str,
        check: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        let check = FormatCheck(CheckFunction::Custom(Arc::new(check)));
        self.changed
            .insert(without_dashes(name).into_owned(), Some(check));
        self
    }

    /// Removes a format: strings of this format are not checked.
    #[must_use]
    pub fn without_format(mut self, name: &str) -> Self {
        self.changed.insert(without_dashes(name).into_owned(), None);
        self
    }

    /// Returns true if a string is valid in a format, or `None` if the format is unknown.
    #[must_use]
    pub fn check(&self, name: &str, string: &str) -> Option<bool> {
        self.find(name).map(|check| check.accepts(string))
    }

    /// Returns the check of a format, or `None` if the format is unknown.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<FormatCheck> {
        let name = without_dashes(name);
        if let Some(changed) = self.changed.get(&*name) {
            return changed.clone();
        }
        let (_, feature, check) = open_api_formats::find(&name)?;
        feature
            .is_none_or(|feature| self.version.has(feature))
            .then_some(FormatCheck(CheckFunction::BuiltIn(*check)))
    }
}

impl fmt::Debug for Formats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = self.changed.iter();
        let changed =
            changed.map(|(name, check)| (name, if check.is_some() { "own" } else { "none" }));
        f.debug_struct("Formats")
            .field("version", &self.version.to_string())
            .field("changed", &changed.collect::<BTreeMap<_, _>>())
            .finish()
    }
}

/// Returns the name without its dashes.
fn without_dashes(name: &str) -> Cow<'_, str> {
    if name.contains('-') {
        name.replace('-', "").into()
    } else {
        name.into()
    }
}
