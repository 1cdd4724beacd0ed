//! Judges objects and requests by the rules of both versions.

pub(crate) mod decision;
pub(crate) mod error_place;
pub(crate) mod judge;
