//! The rules of one union in CEL, and their costs.

pub(crate) mod cost;
pub(crate) mod normalize;
pub(crate) mod validate;
