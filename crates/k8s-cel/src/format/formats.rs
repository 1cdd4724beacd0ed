//! The table of formats, which programs may change.

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::open_api_formats;
use crate::types::version::KubeVersion;

/// The string formats that are checked, by name.
///
/// The default formats are the formats of Kubernetes 1.36 (`apiextensions-apiserver`,
/// `pkg/apiserver/validation`; `kube-openapi`, `pkg/validation/strfmt`). Dashes in a name are
/// ignored, so `date-time` is `datetime`; names are case-sensitive. A format that is not in the
/// table is not checked.
///
/// To emulate another version, or another library behind a format, a program changes the table:
///
/// ```
/// use k8s_cel::format::Formats;
///
/// let formats = Formats::default().with_format("even", |text| text.len() % 2 == 0).without_format("email");
/// assert_eq!(formats.check("even", "abc"), Some(false));
/// assert_eq!(formats.check("email", "nobody"), None);
/// assert_eq!(formats.check("date", "2020-02-29"), Some(true));
/// ```
#[derive(Clone)]
pub struct Formats {
    version: KubeVersion,
    /// The differences from the version: another check, or no check. Names do not have dashes.
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
    /// Returns true if a string is valid in the format.
    #[must_use]
    pub fn accepts(&self, text: &str) -> bool {
        match &self.0 {
            CheckFunction::BuiltIn(check) => check(text),
            CheckFunction::Custom(check) => check(text),
        }
    }
}

impl Default for Formats {
    fn default() -> Self {
        Self::for_version(KubeVersion::LATEST)
    }
}

impl Formats {
    /// Returns the formats of a version: 1.34 added `k8s-short-name` and `k8s-long-name`, the
    /// others are older.
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

    /// Removes a format: strings of this format are not checked any more.
    #[must_use]
    pub fn without_format(mut self, name: &str) -> Self {
        self.changed.insert(without_dashes(name).into_owned(), None);
        self
    }

    /// Returns true if a string is valid in a format; `None` if the format is unknown.
    #[must_use]
    pub fn check(&self, name: &str, text: &str) -> Option<bool> {
        self.find(name).map(|check| check.accepts(text))
    }

    /// Returns the check of a format; `None` if the format is unknown.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<FormatCheck> {
        let name = without_dashes(name);
        if let Some(changed) = self.changed.get(&*name) {
            return changed.clone();
        }
        let (_, since, check) = open_api_formats::find(&name)?;
        since
            .is_none_or(|since| self.version.has(since))
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

/// Returns the name of a format without dashes.
fn without_dashes(name: &str) -> Cow<'_, str> {
    if name.contains('-') {
        name.replace('-', "").into()
    } else {
        name.into()
    }
}
