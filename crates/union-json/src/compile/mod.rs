//! The compilation of schemas into shapes.

pub(crate) mod annotated_schema;
pub(crate) mod compiler;
pub(crate) mod contains_unions;
pub(crate) mod error_policy;
pub(crate) mod list_keys;
pub(crate) mod node_compiler;
pub(crate) mod schema_graph;
