//! Compiles schemas into nodes with unions.

pub(crate) mod annotated_schema;
pub(crate) mod compiler;
pub(crate) mod contains_unions;
pub(crate) mod error_policy;
pub(crate) mod list_keys;
pub(crate) mod node_compiler;
pub(crate) mod schema_graph;
