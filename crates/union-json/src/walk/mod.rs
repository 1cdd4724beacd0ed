//! The walk through a JSON object. The shapes of the schema determine which parts of the object are
//! visited.

pub(crate) mod object;
pub(crate) mod part;
pub(crate) mod shape;
pub(crate) mod walk;
