//! The way to a union in an object.

use serde_json::{Map, Value};

/// A step to where a union stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    Field(String),
    /// An element, by its keys.
    Element(Map<String, Value>),
}
