//! The unions of a schema, and their places in the schema.

pub(crate) mod schema_node;
pub(crate) mod unions;
