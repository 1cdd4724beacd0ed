//! Checks the types of an expression and compiles it to a program, with an estimate of the maximum
//! cost.

mod call;
mod compile;
mod emit;
pub(crate) mod environment;
pub(crate) mod error;
mod fold;
mod literal;
mod names;
mod patterns;
mod state;
