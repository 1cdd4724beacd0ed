//! Errors for schemas and CRDs that cannot be analyzed.

use std::error::Error;
use std::fmt;

use crate::bounds::LEVELS;

/// An error of the analysis of a schema or a CRD.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// The schema has more than [`LEVELS`] levels.
    TooDeep,
    /// The JSON pointer does not point to a schema.
    #[non_exhaustive]
    NoSchema {
        /// The JSON pointer.
        pointer: String,
    },
    /// `spec.versions` is not a list, so the document is not a CRD.
    NoVersions,
}

impl fmt::Display for AnalyzeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep => {
                write!(f, "the schema has more than {LEVELS} levels, which is not supported")
            }
            Self::NoSchema { pointer } => write!(
                f,
                "{pointer:?} is not a path to a schema; use a JSON pointer of `properties` and a \
                 name, `items` and `additionalProperties`, such as \"/properties/rules/items\""
            ),
            Self::NoVersions => f.write_str(
                "spec.versions must be a list; expected a CustomResourceDefinition of `apiextensions.k8s.io/v1`",
            ),
        }
    }
}

impl Error for AnalyzeError {}
