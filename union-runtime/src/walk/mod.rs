//! The walk through an object and what it holds, new and old together.

pub(crate) mod nested;
pub(crate) mod node;
pub(crate) mod place;
pub(crate) mod whole_list;
