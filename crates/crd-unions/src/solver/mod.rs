//! The solver: rules as constraints, and queries for allowed objects under assumptions.

pub(crate) mod component;
pub(crate) mod model;
pub(crate) mod name_similarity;
pub(crate) mod solver;
pub(crate) mod table;
