//! The compilation of schemas into shapes.

pub(crate) mod compile;
pub(crate) mod compiler;
pub(crate) mod leads;
pub(crate) mod list_keys;
pub(crate) mod merge;
pub(crate) mod problems;
pub(crate) mod source;
