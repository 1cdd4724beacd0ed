//! The unions of a compiled schema, and the nodes that contain them.

pub(crate) mod schema_node;
pub(crate) mod unions;
