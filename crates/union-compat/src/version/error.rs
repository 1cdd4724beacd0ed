//! Errors of versions that cannot be compared.

use std::error::Error;
use std::fmt;

use crd_compat::CompareError;
use k8s_crd_validation::Report;
use union_json::SchemaError;

use crate::bounds::LEVELS;

/// The reason why a version cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionError {
    /// The document is not a CRD with versions.
    NoVersions,
    /// The CRD does not have the version, or the version does not have a schema.
    NoSchema(SchemaError),
    /// The schema has more than [`LEVELS`] levels.
    #[non_exhaustive]
    TooDeep {
        /// The name of the version.
        version: String,
    },
    /// An API server rejects the schema.
    #[non_exhaustive]
    Unreadable {
        /// The name of the version.
        version: String,
        /// The errors of the schema.
        violations: Report,
    },
    /// The rest of the CRDs cannot be compared.
    Crd(CompareError),
}

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crd(error) => error.fmt(f),
            Self::NoVersions => f.write_str(
                "/spec/versions: expected a list of versions; pass a CustomResourceDefinition of apiextensions.k8s.io/v1",
            ),
            Self::NoSchema(error) => write!(f, "{}: {}", error.pointer(), error.message()),
            Self::TooDeep { version } => write!(
                f,
                "{version}: the schema has more than {LEVELS} levels and cannot be compared"
            ),
            Self::Unreadable {
                version,
                violations,
            } => {
                write!(f, "{version}: ")?;
                for (index, violation) in violations.errors().iter().enumerate() {
                    let separator = if index == 0 { "" } else { "; " };
                    write!(f, "{separator}{violation}")?;
                }
                Ok(())
            }
        }
    }
}

impl Error for VersionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NoSchema(error) => Some(error),
            Self::Unreadable { violations, .. } => Some(violations),
            Self::Crd(error) => Some(error),
            Self::NoVersions | Self::TooDeep { .. } => None,
        }
    }
}
