//! Errors of policies that cannot be created.

use core::fmt;

use crd_unions::AnalyzeError;
use k8s_cel::KubeVersion;
use union_json::SchemaError;

/// The reason why policies cannot be created.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyError {
    /// The version of Kubernetes does not support the kind of policy.
    #[non_exhaustive]
    UnsupportedVersion {
        /// The selected version.
        version: KubeVersion,
        /// The kind of policy.
        kind: &'static str,
        /// The missing feature, and the remedy.
        problem: String,
    },
    /// A string that policies need is missing in the CRD.
    #[non_exhaustive]
    MissingString {
        /// The JSON pointer to the string.
        pointer: String,
    },
    /// The name of a policy is too long.
    #[non_exhaustive]
    NameTooLong {
        /// The name.
        name: String,
        /// The maximum number of characters of a name.
        max_length: usize,
    },
    /// The version of Kubernetes does not serve the built-in kind.
    #[non_exhaustive]
    NotServed {
        /// The selected version.
        version: KubeVersion,
        /// The API version and the kind.
        kind: String,
    },
    /// API servers do not evaluate policies for the built-in kind.
    #[non_exhaustive]
    NotIntercepted {
        /// The API version and the kind.
        kind: String,
    },
    /// The CRD declares invalid unions.
    InvalidUnions(SchemaError),
    /// The rules of the CRD could not be analyzed.
    UnreadableRules(AnalyzeError),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnsupportedVersion {
                version,
                kind,
                problem,
            } => write!(f, "Kubernetes {version} does not support {kind} {problem}"),
            Self::MissingString { pointer } => write!(
                f,
                "the CustomResourceDefinition does not have a string at {pointer}; add it"
            ),
            Self::NameTooLong { name, max_length } => write!(
                f,
                "the name of the policy, {name:?}, is longer than {max_length} characters; write the policy by hand, or use a webhook"
            ),
            Self::NotServed { version, kind } => write!(
                f,
                "Kubernetes {version} does not serve {kind}; choose a version that does"
            ),
            Self::NotIntercepted { kind } => write!(
                f,
                "API servers do not evaluate admission policies for {kind}; clients must clear the old member of a union"
            ),
            Self::InvalidUnions(error) => error.fmt(f),
            Self::UnreadableRules(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PolicyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::InvalidUnions(error) => Some(error),
            Self::UnreadableRules(error) => Some(error),
            Self::UnsupportedVersion { .. }
            | Self::MissingString { .. }
            | Self::NameTooLong { .. }
            | Self::NotServed { .. }
            | Self::NotIntercepted { .. } => None,
        }
    }
}
