//! The type of scalars.

use super::tag::Tag;

/// A value that is not a list or a map, as it is written.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub(crate) text: String,
    pub(crate) tag: Tag,
    pub(crate) style: Style,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Without quotes, in YAML.
    Plain,
    /// A string, if it has no tag.
    Quoted,
    /// A number in JSON, where 1.0 is not an integer.
    JsonNumber,
}
