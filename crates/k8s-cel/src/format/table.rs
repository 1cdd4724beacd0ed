//! The table of formats, which a program may change.

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::known;
use crate::types::version::Version;

/// The formats of texts that are checked, by name.
///
/// By default they are those of Kubernetes 1.36 (`apiextensions-apiserver`, `pkg/apiserver/validation`; `kube-openapi`,
/// `pkg/validation/strfmt`). A name counts without its dashes, so `date-time` is `datetime`; large
/// and small letters differ. A format that is not in the table is not checked.
///
/// A program that wants to know what another version, or another library behind a format, would say of its objects
/// changes the table:
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
    /// What differs from the version: another check, or none. Names are without dashes.
    changed: BTreeMap<String, Option<Check>>,
}

/// Says whether a text is of a format.
#[derive(Clone)]
pub struct Check(CheckOf);

#[derive(Clone)]
enum CheckOf {
    Known(fn(&str) -> bool),
    Own(Arc<dyn Fn(&str) -> bool + Send + Sync>),
}

impl Check {
    /// Whether a text is of the format.
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
    /// The formats of a version: `k8s-short-name` and `k8s-long-name` came with 1.34, the others are older.
    #[must_use]
    pub const fn of(version: Version) -> Self {
        Self {
            version,
            changed: BTreeMap::new(),
        }
    }

    /// The same, with a format added or replaced.
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

    /// The same without a format: texts of that format are not checked any more.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.changed.insert(plain(name).into_owned(), None);
        self
    }

    /// Whether a text is of a format; `None` if no such format is known.
    #[must_use]
    pub fn check(&self, name: &str, text: &str) -> Option<bool> {
        self.find(name).map(|check| check.accepts(text))
    }

    /// The check of a format; `None` if no such format is known.
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

/// A name as formats are known by it.
fn plain(name: &str) -> Cow<'_, str> {
    if name.contains('-') {
        name.replace('-', "").into()
    } else {
        name.into()
    }
}
