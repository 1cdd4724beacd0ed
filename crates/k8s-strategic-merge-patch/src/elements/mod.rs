//! The elements of lists: their keys, and where they stand.

pub(crate) mod document;
pub(crate) mod identity;
pub(crate) mod places;
pub(crate) mod scalar;
