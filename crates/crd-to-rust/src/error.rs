//! The error for a CRD for which no Rust types can be generated.

use std::fmt;

use union_runtime::path::FieldPath;

/// The reason why no types were generated: the path, the problem, and the remedy. `Display` prints
/// all three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerateError {
    /// The kind whose CRD has the error, if there are several CRDs.
    kind: Option<String>,
    origin: ErrorOrigin,
    problem: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ErrorOrigin {
    Setting(&'static str),
    Crd(FieldPath),
}

impl GenerateError {
    /// Returns an error in the CRD.
    pub(crate) fn new(path: impl Into<FieldPath>, problem: impl Into<String>) -> Self {
        Self {
            kind: None,
            origin: ErrorOrigin::Crd(path.into()),
            problem: problem.into(),
        }
    }

    /// Returns an error in a setting or another argument.
    pub(crate) fn setting(name: &'static str, problem: impl Into<String>) -> Self {
        Self {
            kind: None,
            origin: ErrorOrigin::Setting(name),
            problem: problem.into(),
        }
    }

    /// Adds the path `outer` before the path of the error, which is relative to `outer`.
    pub(crate) fn under(self, outer: &FieldPath) -> Self {
        let origin = match self.origin {
            ErrorOrigin::Crd(path) => ErrorOrigin::Crd(path.under(outer)),
            setting @ ErrorOrigin::Setting(_) => setting,
        };
        Self { origin, ..self }
    }

    /// Adds the kind whose CRD has the error.
    pub(crate) fn in_kind(self, kind: &str) -> Self {
        let kind = Some(kind.to_owned());
        Self { kind, ..self }
    }

    /// Returns the path in the CRD, such as `spec.versions[0].schema.openAPIV3Schema`; `None` if
    /// the error is in a setting.
    #[must_use]
    pub const fn path(&self) -> Option<&FieldPath> {
        match &self.origin {
            ErrorOrigin::Crd(path) => Some(path),
            ErrorOrigin::Setting(_) => None,
        }
    }

    /// Returns the name of the invalid setting; `None` if the error is in the CRD.
    #[must_use]
    pub const fn setting_name(&self) -> Option<&'static str> {
        match self.origin {
            ErrorOrigin::Setting(name) => Some(name),
            ErrorOrigin::Crd(_) => None,
        }
    }

    /// Returns the problem and the remedy.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(kind) = &self.kind {
            write!(f, "{kind}: ")?;
        }
        match &self.origin {
            ErrorOrigin::Setting(name) => write!(f, "{name}: {}", self.problem),
            ErrorOrigin::Crd(path) => write!(f, "{path}: {}", self.problem),
        }
    }
}

impl std::error::Error for GenerateError {}
