//! The limits of policies.

use core::fmt;

/// A limit of a policy: an effect that it does not have, or not always, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limitation {
    /// The path of the place, as `spec.rules[].filters[]`; empty for the root object.
    pub path: String,
    /// The missing effect, the reason, and the remedy.
    pub message: String,
}

impl Limitation {
    pub(crate) fn new(path: impl Into<String>, why: impl Into<String>) -> Self {
        let (path, why) = (path.into(), why.into());
        Self { path, message: why }
    }
}

impl fmt::Display for Limitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, message: why } = self;
        match &**path {
            "" => write!(f, "the object: {why}"),
            path => write!(f, "{path}: {why}"),
        }
    }
}
