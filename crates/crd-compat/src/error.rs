//! The errors of a comparison.

use core::fmt;

/// The reason why two CRDs cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompareError {
    /// The document is not a CRD with versions.
    NotACrd,
    /// A version of the CRD has no schema.
    NoSchema(String),
    /// An API server cannot serve the schema of a version.
    Rejected {
        /// The name of the version.
        version: String,
        /// The messages of the server.
        messages: Vec<String>,
    },
    /// A schema has too many levels.
    TooDeep(String),
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACrd => f.write_str(
                "the document is not a CustomResourceDefinition of apiextensions.k8s.io/v1 with `spec.versions`",
            ),
            Self::NoSchema(version) => write!(f, "the version {version} has no `schema`"),
            Self::Rejected { version, messages } => write!(
                f,
                "an API server cannot serve the schema of the version {version}: {}",
                messages.join("; ")
            ),
            Self::TooDeep(version) => write!(
                f,
                "the schema of the version {version} has more than {} levels",
                crate::bounds::LEVELS
            ),
        }
    }
}

impl core::error::Error for CompareError {}
