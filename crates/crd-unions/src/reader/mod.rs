//! Analysis of schemas and CRDs: finds the objects of a schema, and analyzes each object.

pub(crate) mod analyze;
pub(crate) mod declared_union;
mod object;
