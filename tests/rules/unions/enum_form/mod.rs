//! Unions that are Rust enums.

pub(crate) mod kinds;
pub(crate) mod parents;
pub(crate) mod read;
pub(crate) mod shapes;
pub(crate) mod target;
pub(crate) mod world;
pub(crate) mod worlds;
