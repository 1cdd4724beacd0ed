//! Decides whether an object is allowed under given assumptions.

pub(crate) mod component;
pub(crate) mod model;
pub(crate) mod name_similarity;
pub(crate) mod solver;
pub(crate) mod table;
