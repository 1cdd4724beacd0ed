//! The errors of policies that cannot be made.

use core::fmt;

use crd_unions::ReadError;
use k8s_cel::Version;
use union_json::SchemaError;

/// The reason that there are no policies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyError {
    /// Kubernetes of that version does not have the kind of policy.
    #[non_exhaustive]
    Version {
        /// The version that was chosen.
        version: Version,
        /// The kind of policy.
        kind: &'static str,
        /// The missing part, and what to do.
        problem: &'static str,
    },
    /// The CRD does not have a text.
    #[non_exhaustive]
    MissingText {
        /// The JSON pointer to the text.
        pointer: String,
    },
    /// The name of a policy would be too long.
    #[non_exhaustive]
    LongName {
        /// The name.
        name: String,
        /// The number of characters that a name may have.
        longest: usize,
    },
    /// The unions that the CRD declares are wrong.
    Unions(SchemaError),
    /// The rules of the CRD cannot be read.
    Rules(ReadError),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version {
                version,
                kind,
                problem,
            } => {
                let minor = version.number();
                write!(f, "Kubernetes 1.{minor} does not have {kind} {problem}")
            }
            Self::MissingText { pointer } => write!(
                f,
                "the CustomResourceDefinition does not have a text at {pointer}; add it"
            ),
            Self::LongName { name, longest } => write!(
                f,
                "the policy would be called {name:?}, which is longer than the {longest} characters of a name; write it by hand, or use a webhook"
            ),
            Self::Unions(error) => error.fmt(f),
            Self::Rules(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PolicyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unions(error) => Some(error),
            Self::Rules(error) => Some(error),
            Self::Version { .. } | Self::MissingText { .. } | Self::LongName { .. } => None,
        }
    }
}
