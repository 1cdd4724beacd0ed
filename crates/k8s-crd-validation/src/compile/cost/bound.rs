//! Existing and suggested bounds of lists, maps and strings.

use core::fmt;

use crate::schema::NodeId;

/// A list or map around the value of a rule: the rule runs once for each element or entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cardinality {
    /// The path of the list or map in an object: `spec.rules`.
    pub path: String,
    /// The value of `maxItems` or `maxProperties`, or `None` if the schema does not have the
    /// keyword.
    pub bound: Option<u64>,
    /// The keyword for the bound: `maxItems` or `maxProperties`.
    pub keyword: &'static str,
    pub(super) node: NodeId,
}

/// A bound to set in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuggestedBound {
    /// The path of the list, map or string in an object: `spec.rules`.
    pub path: String,
    /// The keyword for the bound: `maxItems`, `maxProperties` or `maxLength`.
    pub keyword: &'static str,
    /// The largest value of the keyword that reduces the cost enough.
    pub max: u64,
}

impl fmt::Display for SuggestedBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, keyword, max } = self;
        write!(f, "{keyword} of `{path}` to {max} or less")
    }
}

/// Returns the path of a property.
pub(super) fn join_path(path: &str, name: &str) -> String {
    if path.is_empty() {
        return name.to_owned();
    }
    format!("{path}.{name}")
}
