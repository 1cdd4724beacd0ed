//! Reads schemas and CRDs: finds the objects of a schema, and reads the rules of each object.

pub(crate) mod analyze;
pub(crate) mod declared_union;
mod object;
