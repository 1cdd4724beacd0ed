//! The error type of this crate.

use core::error::Error;
use core::fmt;
use std::sync::Arc;

use union_runtime::path::FieldPath;

/// An error for a CRD that cannot be created. `Display` prints the path, the problem and the
/// remedy.
#[derive(Clone, Debug)]
pub struct CrdError {
    crd: Option<&'static str>,
    path: FieldPath,
    problem: String,
    source: Option<Arc<serde_json::Error>>,
}

impl CrdError {
    /// Creates an error for a problem at a path in the CRD.
    pub(super) fn new(path: impl Into<FieldPath>, problem: impl Into<String>) -> Self {
        Self {
            crd: None,
            path: path.into(),
            problem: problem.into(),
            source: None,
        }
    }

    /// Creates an error for a CRD that serde cannot serialize as JSON.
    pub(super) fn not_json(crd: &'static str, error: serde_json::Error) -> Self {
        let problem = format!("cannot serialize the CRD as JSON: {error}");
        Self {
            source: Some(Arc::new(error)),
            ..Self::new(FieldPath::root(), problem).with_crd(crd)
        }
    }

    /// Marks the path as relative to the schema of the CRD `crd`.
    pub(super) fn with_crd(mut self, crd: &'static str) -> Self {
        self.crd = Some(crd);
        self
    }

    /// Returns the name of the CRD if the path is relative to its schema, and `None` if the path is
    /// relative to the CRD.
    #[must_use]
    pub const fn crd(&self) -> Option<&'static str> {
        self.crd
    }

    /// Returns the path of the problem. The path is relative to the schema of the CRD if
    /// [`crd`](Self::crd) returns a name, and otherwise to the CRD, such as `metadata.annotations`.
    pub const fn path(&self) -> &FieldPath {
        &self.path
    }

    /// Returns the problem and its remedy.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for CrdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, problem, .. } = self;
        match self.crd {
            Some(crd) if path.is_root() => write!(f, "{crd}: {problem}"),
            Some(crd) => write!(f, "{crd}.{path}: {problem}"),
            None => write!(f, "{path}: {problem}"),
        }
    }
}

impl Error for CrdError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let source = self.source.as_deref()?;
        Some(source)
    }
}
