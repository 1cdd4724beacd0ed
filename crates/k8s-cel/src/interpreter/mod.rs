//! The evaluation of a checked expression.

pub(crate) mod answer;
pub(crate) mod evaluator;
pub(crate) mod machine;
pub(crate) mod program;
