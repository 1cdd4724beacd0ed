//! What a policy cannot do.

use core::fmt;

/// Something that a policy does not do, or not always, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gap {
    /// Where in an object, as `spec.rules[].filters[]`; empty for the object itself.
    pub path: String,
    /// What is not done, why, and what to do.
    pub why: String,
}

impl Gap {
    pub(crate) fn new(path: impl Into<String>, why: impl Into<String>) -> Self {
        let (path, why) = (path.into(), why.into());
        Self { path, why }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, why } = self;
        match &**path {
            "" => write!(f, "the object: {why}"),
            path => write!(f, "{path}: {why}"),
        }
    }
}
