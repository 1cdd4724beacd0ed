//! The compilation of schemas into shapes.

pub(crate) mod annotated;
pub(crate) mod compile;
pub(crate) mod compiler;
pub(crate) mod leads;
pub(crate) mod list_keys;
pub(crate) mod merge;
pub(crate) mod problems;
