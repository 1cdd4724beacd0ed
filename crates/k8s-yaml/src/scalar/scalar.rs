//! The data type of a scalar.

use super::tag::Tag;

/// A value that is not a list or a map, with its string, tag and style in the source.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub(crate) text: String,
    pub(crate) tag: Tag,
    pub(crate) style: Style,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// A YAML scalar without quotes.
    Plain,
    /// A scalar in quotes, which is a string unless it has a tag.
    Quoted,
    /// A JSON number. Unlike in YAML, 1.0 is not an integer.
    JsonNumber,
}
