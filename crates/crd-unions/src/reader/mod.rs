//! Reads schemas and CRDs: finds the objects of a schema, and reads the rules of each object.

pub(crate) mod declared;
mod object;
pub(crate) mod places;
