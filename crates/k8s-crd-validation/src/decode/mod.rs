//! Decoding of objects: pruning, nulls, defaults and strict decoding. Also the correlation of new
//! values with old values.

pub(crate) mod decode;
mod prune;
pub(crate) mod ratchet;
pub(crate) mod strict;
