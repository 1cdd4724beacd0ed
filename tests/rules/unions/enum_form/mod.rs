//! Unions that are Rust enums.

pub(crate) mod engine;
pub(crate) mod external;
pub(crate) mod flattened;
pub(crate) mod kinds;
pub(crate) mod parents;
pub(crate) mod read;
pub(crate) mod shapes;
pub(crate) mod small_objects;
pub(crate) mod target;
