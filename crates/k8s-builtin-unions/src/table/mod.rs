//! The table of built-in unions, and the types that lead to them.

pub(crate) mod data;
pub(crate) mod kind;
pub(crate) mod union;
pub(crate) mod versions;
