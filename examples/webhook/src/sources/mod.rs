//! The sources of CRDs.

#[cfg(feature = "cluster")]
pub mod cluster;
pub mod files;
