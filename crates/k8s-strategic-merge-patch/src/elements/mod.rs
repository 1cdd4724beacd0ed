//! The elements of lists: their keys, and their positions.

pub(crate) mod document;
pub(crate) mod element_index;
pub(crate) mod identity;
pub(crate) mod scalar;
pub(crate) mod warning;
