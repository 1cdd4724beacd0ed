//! The schema of a patch, compiled once.

mod compile;
pub(crate) mod compiler;
#[cfg(feature = "schemars")]
pub(crate) mod derived;
pub(crate) mod schema;
pub(crate) mod strategy;
