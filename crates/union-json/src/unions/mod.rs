//! The unions of a schema, and their places in it.

pub(crate) mod places;
pub(crate) mod unions;
