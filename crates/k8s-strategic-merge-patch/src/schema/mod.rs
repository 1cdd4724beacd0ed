//! The schema of a patch, compiled once.

mod compile;
pub(crate) mod compiler;
#[cfg(feature = "schemars")]
pub(crate) mod from_rust_type;
mod object_meta;
pub(crate) mod schema;
pub(crate) mod strategy;
