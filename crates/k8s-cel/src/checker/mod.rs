//! Checks the types of an expression and compiles it to a program, with an estimate of the maximum
//! cost.

mod call;
mod compile;
mod comprehension;
pub(crate) mod environment;
pub(crate) mod error;
mod literal;
mod names;
mod pattern_compiler;
mod plan;
mod state;
