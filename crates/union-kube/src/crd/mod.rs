//! The CRD of a type.

mod crd;
mod recursion;

pub use crd::Crd;
