//! Checks the types of an expression, estimates its maximum cost, and compiles it to a program.

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
