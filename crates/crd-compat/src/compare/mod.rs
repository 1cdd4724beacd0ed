//! Compares two versions of a CRD, and two CRDs.

pub(crate) mod assert;
mod consequences;
pub(crate) mod crd;
mod effects;
pub(crate) mod objects;
mod pair;
mod pair_report;
mod proof;
mod same_pairs;
mod topology;
