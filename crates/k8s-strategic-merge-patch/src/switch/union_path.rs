//! The path to a union in an object.

use serde_json::{Map, Value};

/// A step on the path to a union.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UnionPathStep {
    Field(String),
    /// An element, by its keys.
    Element(Map<String, Value>),
}
