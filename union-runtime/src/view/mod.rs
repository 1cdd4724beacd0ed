//! The view on objects that all rules share, for every representation of objects.

pub(crate) mod descent;
pub(crate) mod nested;
pub(crate) mod node;
pub(crate) mod place;
pub(crate) mod state;
