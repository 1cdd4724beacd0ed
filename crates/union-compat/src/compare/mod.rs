//! The comparison of two versions: of schemas, of CRDs, of Rust types.

pub(crate) mod compare;
pub(crate) mod crd;
pub(crate) mod typed;
