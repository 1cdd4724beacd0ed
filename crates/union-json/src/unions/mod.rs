//! The unions of a schema, and where they stand.

pub(crate) mod places;
pub(crate) mod unions;
