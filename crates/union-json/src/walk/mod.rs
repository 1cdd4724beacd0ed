//! The walk through a JSON object, driven by the shapes of its schema.

pub(crate) mod object;
pub(crate) mod part;
pub(crate) mod shape;
pub(crate) mod walk;
