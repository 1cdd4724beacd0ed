//! Walks through a JSON object. The compiled nodes of the schema determine which parts of the
//! object are visited.

pub(crate) mod compiled_node;
pub(crate) mod object;
pub(crate) mod partial_object;
pub(crate) mod stored;
pub(crate) mod walk;
