//! Compares two versions, which are schemas, CRDs or Rust types.

pub(crate) mod compare;
pub(crate) mod compared_object;
pub(crate) mod crd;
pub(crate) mod enums;
pub(crate) mod relation;
pub(crate) mod typed;
pub(crate) mod undecided;
pub(crate) mod whole_crd;
