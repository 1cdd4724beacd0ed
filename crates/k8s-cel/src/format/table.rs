//! The table of formats, which programs may change.

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::known;
use crate::types::version::Version;

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
/// let formats = Formats::default().with("even", |text| text.len() % 2 == 0).without("email");
/// assert_eq!(formats.check("even", "abc"), Some(false));
/// assert_eq!(formats.check("email", "nobody"), None);
/// assert_eq!(formats.check("date", "2020-02-29"), Some(true));
/// ```
#[derive(Clone)]
pub struct Formats {
    version: Version,
    /// The differences from the version: another check, or no check. Names do not have dashes.
    changed: BTreeMap<String, Option<Check>>,
}

/// The check of a format.
#[derive(Clone)]
pub struct Check(CheckOf);

#[derive(Clone)]
enum CheckOf {
    Known(fn(&str) -> bool),
    Own(Arc<dyn Fn(&str) -> bool + Send + Sync>),
}

impl Check {
    /// Returns true if a string is valid in the format.
    #[must_use]
    pub fn accepts(&self, text: &str) -> bool {
        match &self.0 {
            CheckOf::Known(check) => check(text),
            CheckOf::Own(check) => check(text),
        }
    }
}

impl Default for Formats {
    fn default() -> Self {
        Self::of(Version::LATEST)
    }
}

impl Formats {
    /// Returns the formats of a version: 1.34 added `k8s-short-name` and `k8s-long-name`, the
    /// others are older.
    #[must_use]
    pub const fn of(version: Version) -> Self {
        Self {
            version,
            changed: BTreeMap::new(),
        }
    }

    /// Adds or replaces a format.
    #[must_use]
    pub fn with(
        mut self,
        name: &str,
        check: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        let check = Check(CheckOf::Own(Arc::new(check)));
        self.changed.insert(plain(name).into_owned(), Some(check));
        self
    }

    /// Removes a format: strings of this format are not checked any more.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.changed.insert(plain(name).into_owned(), None);
        self
    }

    /// Returns true if a string is valid in a format; `None` if the format is unknown.
    #[must_use]
    pub fn check(&self, name: &str, text: &str) -> Option<bool> {
        self.find(name).map(|check| check.accepts(text))
    }

    /// Returns the check of a format; `None` if the format is unknown.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Check> {
        let name = plain(name);
        if let Some(changed) = self.changed.get(&*name) {
            return changed.clone();
        }
        let (_, since, check) = known::find(&name)?;
        (*since <= self.version.number()).then_some(Check(CheckOf::Known(*check)))
    }
}

impl fmt::Debug for Formats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed = self.changed.iter();
        let changed =
            changed.map(|(name, check)| (name, if check.is_some() { "own" } else { "none" }));
        f.debug_struct("Formats")
            .field("version", &self.version.number())
            .field("changed", &changed.collect::<BTreeMap<_, _>>())
            .finish()
    }
}

/// Returns the name of a format without dashes.
fn plain(name: &str) -> Cow<'_, str> {
    if name.contains('-') {
        name.replace('-', "").into()
    } else {
        name.into()
    }
}
