//! The elements of lists: their keys, their positions, and the warnings of a patch about them.

pub(crate) mod deep_key;
pub(crate) mod document;
pub(crate) mod element_index;
pub(crate) mod identity;
pub(crate) mod patch;
pub(crate) mod repeated;
pub(crate) mod scalar;
pub(crate) mod warning;
