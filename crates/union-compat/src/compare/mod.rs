//! The comparison of two versions: of schemas, CRDs and Rust types.

pub(crate) mod compare;
pub(crate) mod crd;
pub(crate) mod typed;
