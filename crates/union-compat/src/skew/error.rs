//! Errors of version skew tables.

use std::error::Error;
use std::fmt;

use union_json::SchemaError;

use crate::version::error::VersionError;

/// The reason why no table of requests can be created for two types.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkewError {
    /// The types have no unions with a common field.
    #[non_exhaustive]
    NoCommonUnion {
        /// The name of the old version.
        old: String,
        /// The name of the new version.
        new: String,
    },
    /// A type does not have the selected union.
    #[non_exhaustive]
    NoUnion {
        /// The name of the version.
        version: String,
    },
    /// The union does not match the schema of its type.
    SchemaMismatch(SchemaError),
    /// No value of a member was found that both its schema accepts and its type can read.
    #[non_exhaustive]
    NoValue {
        /// The name of the member.
        member: String,
        /// The error of the type for the last value that was tried.
        error: String,
    },
    /// A version cannot be compared.
    InvalidVersion(VersionError),
}

impl fmt::Display for SkewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCommonUnion { old, new } => write!(
                f,
                "{old} and {new} have no union with a field in common; pass two versions of a type that derives `Union` or `UnionEnum`"
            ),
            Self::NoUnion { version } => write!(f, "{version} has no such union"),
            Self::SchemaMismatch(error) => error.fmt(f),
            Self::NoValue { member, error } => write!(
                f,
                "{member}: no value of its schema was accepted by its type ({error}); pass a value with `Options::values`"
            ),
            Self::InvalidVersion(error) => error.fmt(f),
        }
    }
}

impl Error for SkewError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::SchemaMismatch(error) => Some(error),
            Self::InvalidVersion(error) => Some(error),
            Self::NoCommonUnion { .. } | Self::NoUnion { .. } | Self::NoValue { .. } => None,
        }
    }
}

impl From<VersionError> for SkewError {
    fn from(error: VersionError) -> Self {
        Self::InvalidVersion(error)
    }
}
