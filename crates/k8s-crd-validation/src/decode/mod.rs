//! The decoding of objects: pruning, nulls, defaults, and the old value of a new one.

pub(crate) mod correlate;
pub(crate) mod decode;
