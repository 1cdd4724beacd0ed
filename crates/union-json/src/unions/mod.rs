//! The unions of a schema, and their places in the schema.

pub(crate) mod places;
pub(crate) mod unions;
