//! The elements of lists: their keys, and their positions.

pub(crate) mod document;
pub(crate) mod identity;
pub(crate) mod places;
pub(crate) mod scalar;
