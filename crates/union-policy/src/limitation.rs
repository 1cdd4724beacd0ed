//! Limitations of policies.

use core::fmt;

/// A limitation of a policy: an effect that the policy lacks, or does not always have, and the
/// remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limitation {
    /// The path of the union or field, such as `spec.rules[*].filters[*]`; empty for the root
    /// object.
    pub path: String,
    /// The missing effect, the reason, and the remedy.
    pub message: String,
}

impl Limitation {
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self { path, message }
    }
}

impl fmt::Display for Limitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, message } = self;
        match &**path {
            "" => write!(f, "the object: {message}"),
            path => write!(f, "{path}: {message}"),
        }
    }
}
