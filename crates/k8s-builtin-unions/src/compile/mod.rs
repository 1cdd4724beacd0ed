//! Compiles the unions of a kind.

pub(crate) mod compiler;
pub(crate) mod schema;
