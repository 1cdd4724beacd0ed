//! The question whether some object is allowed under given assumptions, and its answer.

pub(crate) mod component;
pub(crate) mod model;
pub(crate) mod rank;
pub(crate) mod solver;
pub(crate) mod table;
