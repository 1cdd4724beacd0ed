//! The switch of a union to another member, and the owners of the fields that it removes.

pub(crate) mod owner;
pub(crate) mod switch;
pub(crate) mod union_path;
