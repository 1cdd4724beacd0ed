//! The bounds of lists, maps and texts: those that a schema has, and those that it lacks.

use core::fmt;

use crate::schema::NodeId;

/// A list or map in which a rule runs for each value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Multiplier {
    /// The place of the list or map: `spec.rules`.
    pub path: String,
    /// Its `maxItems` or `maxProperties`; `None` where it has no such bound.
    pub bound: Option<u64>,
    /// The keyword that bounds it: `maxItems` or `maxProperties`.
    pub keyword: &'static str,
    pub(super) node: NodeId,
}

/// A bound to set in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bound {
    /// The place of the list, map or text in an object: `spec.rules`.
    pub path: String,
    /// `maxItems`, `maxProperties` or `maxLength`.
    pub keyword: &'static str,
    /// The largest value that helps.
    pub at_most: u64,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            keyword,
            at_most,
        } = self;
        write!(f, "{keyword} of `{path}` to {at_most} or less")
    }
}

/// The path of a property.
pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() {
        return name.to_owned();
    }
    format!("{path}.{name}")
}
