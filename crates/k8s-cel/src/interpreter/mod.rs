//! Programs, and the interpreter that evaluates them.

pub(crate) mod cel_value;
pub(crate) mod evaluator;
pub(crate) mod interpreter;
pub(crate) mod program;
