//! The types of CEL, the types that a schema declares, and the versions of Kubernetes.

pub(crate) mod assignability;
pub mod declared;
pub(crate) mod feature;
pub(crate) mod types;
pub(crate) mod version;
