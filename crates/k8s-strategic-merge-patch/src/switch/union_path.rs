//! The path to a union in an object.

use serde_json::{Map, Value};

/// A step on the path to a union.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UnionPathStep {
    Field(String),
    Element(UnionPathElement),
}

/// A list element on the path to a union.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UnionPathElement {
    /// The position in the live list.
    pub(crate) position: usize,
    /// The keys by which server-side apply finds the element. Without keys, the list has one owner.
    pub(crate) keys: Map<String, Value>,
    /// True if the strategic merge patch replaces the whole list.
    pub(crate) is_list_replaced: bool,
}
